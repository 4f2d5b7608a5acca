#include "options/parse_value.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.h"

namespace heddle::options {

uint64_t parse_number(const char* option, const std::string& text, uint64_t least, uint64_t most,
                      const char* example) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most) {
    return value;
  }
  std::string range = most == ~uint64_t{0} ? fmt::format("from {} on", least)
                                           : fmt::format("from {} to {}", least, most);
  throw UserError(fmt::format("--{}: '{}' is not a whole number {}; type e.g. --{} {}", option,
                              text, range, option, example));
}

double parse_seconds(const char* option, const std::string& text, const char* example) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value) &&
      value > 0) {
    return value;
  }
  throw UserError(fmt::format("--{}: '{}' is not a number of seconds above 0; type e.g. --{} {}",
                              option, text, option, example));
}

uint64_t parse_size(const char* option, const std::string& text, const char* example) {
  constexpr std::string_view kUnits = "KMGT";
  constexpr uint64_t kLeast = uint64_t{1} << 20;
  constexpr uint64_t kMost = uint64_t{1} << 50;
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  size_t unit = end + 1 == text.data() + text.size() ? kUnits.find(*end) : std::string_view::npos;
  if (error == std::errc() && unit != std::string_view::npos) {
    uint64_t shift = 10 * (unit + 1);
    if (value <= kMost >> shift && value << shift >= kLeast) return value << shift;
  }
  throw UserError(fmt::format(
      "--{}: '{}' is not a size from 1M on with a unit (K, M, G or T); type e.g. --{} {}", option,
      text, option, example));
}

std::string parse_file(const char* option, const std::string& text, const char* example) {
  if (text.empty()) {
    throw UserError(fmt::format("--{0} needs a file; type e.g. --{0} {1}", option, example));
  }
  return text;
}

bool parse_flag(const char* option, const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw UserError(fmt::format("--{} takes no value; leave out '{}'", option, text));
}

std::vector<uint64_t> parse_names(const char* option, const std::string& text) {
  std::vector<uint64_t> names;
  const char* at = text.data();
  const char* end = text.data() + text.size();
  while (at != end) {
    uint64_t name = 0;
    auto [rest, error] = std::from_chars(at, end, name, 16);
    bool more = rest != end && *rest == ',' && rest + 1 != end;
    if (error != std::errc() || (rest != end && !more)) {
      throw UserError(fmt::format("--{}: '{}' is no list of places; it comes from a schedule file",
                                  option, text));
    }
    names.push_back(name);
    at = more ? rest + 1 : end;
  }
  return names;
}

int parse_name(const char* option, const std::string& text, std::initializer_list<Named> names) {
  std::string known;
  for (const Named& named : names) {
    if (text == named.name) return named.value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", named.name);
  }
  throw UserError(fmt::format("--{}: there is no '{}'; known: {}", option, text, known));
}

}  // namespace heddle::options
