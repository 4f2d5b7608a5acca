#include "options/parse_guide.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <string_view>

#include "base/error.h"
#include "options/parse_focus.h"

namespace heddle::options {

namespace {

constexpr std::string_view kPrefer = "prefer:";
constexpr uint32_t kMostThreads = 64;  // that can be preferred, by their numbers

// "2", "T2" or "main".
uint64_t thread_bit(std::string_view name, const std::string& text) {
  if (name == "main") return 1;
  if (name.starts_with('T')) name.remove_prefix(1);
  uint32_t number = 0;
  auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || rest != name.data() + name.size() || number >= kMostThreads) {
    throw UserError(
        fmt::format("--toward: '{}': threads are numbers up to {}, with commas between them; type "
                    "e.g. --toward prefer:1,2",
                    text, kMostThreads - 1));
  }
  return uint64_t{1} << number;
}

}  // namespace

std::vector<std::string> parse_through(const std::string& text) {
  if (text == "none") return {};
  std::vector<std::string> places = parse_focus("through", text);
  if (places.size() <= wire::kMaxRoute) return places;
  throw UserError(
      fmt::format("--through: {} places; {} are the most", places.size(), wire::kMaxRoute));
}

std::string through_text(const std::vector<std::string>& places) {
  return places.empty() ? "none" : fmt::format("{}", fmt::join(places, ","));
}

void parse_toward(const std::string& text, explore::GuideOptions* guide) {
  if (text == "distance") {
    guide->toward = wire::Toward::distance;
  } else if (text == "random") {
    guide->toward = wire::Toward::chance;
  } else if (text.starts_with(kPrefer)) {
    guide->toward = wire::Toward::threads;
    guide->threads = 0;
    std::string_view left = std::string_view(text).substr(kPrefer.size());
    for (;;) {
      size_t comma = left.find(',');
      guide->threads |= thread_bit(left.substr(0, comma), text);
      if (comma == std::string_view::npos) return;
      left.remove_prefix(comma + 1);
    }
  } else {
    throw UserError(
        fmt::format("--toward: '{}' is none of distance, random and prefer:THREADS; type e.g. "
                    "--toward prefer:1,2",
                    text));
  }
}

}  // namespace heddle::options
