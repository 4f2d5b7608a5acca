#include "report/style.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/printable.h"

namespace heddle::report {

std::string Paint::wrap(std::string_view code, std::string_view text) const {
  return on_ && !text.empty() ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3; i -= 3)
    digits.insert(digits.begin() + static_cast<ptrdiff_t>(i - 3), ',');
  return digits;
}

std::string counted(uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::string duration(double seconds) {
  if (seconds < 0.01) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  uint64_t whole = static_cast<uint64_t>(seconds);
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string estimated(double estimate, double low, double high) {
  // Rounded so that two digits are left: 0.5 to the next, 0 down, 1 up.
  auto rough = [](double number, double up) {
    constexpr double kMost = 1e15;
    if (number >= kMost) return fmt::format("{:.1g}", number);
    double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(std::max(number, 1.0))) - 1));
    double rounded = up == 1 ? std::ceil(number / unit) : std::floor(number / unit + up);
    return grouped(static_cast<uint64_t>(rounded * unit));
  };
  return fmt::format("about {} ({} to {})", rough(estimate, 0.5), rough(low, 0), rough(high, 1));
}

std::string printable(std::string_view text) {
  std::string result = heddle::printable(text, "\t");
  std::ranges::replace(result, '\t', ' ');
  return result;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!text.empty() && text.find_first_not_of(kSafe) == std::string::npos) return text;
  // What a terminal would not show as it is: as bash and others write it.
  if (heddle::printable(text) != text) {
    std::string word;
    for (char c : text) {
      if (c == '\'' || c == '\\') word += '\\';
      word += c;
    }
    return "$'" + heddle::printable(word) + "'";
  }
  std::string word = "'";
  for (char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

namespace {

// A byte in the middle of a character.
bool is_inside(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// Where the character begins that has so many before it.
size_t at_column(std::string_view text, size_t column) {
  size_t i = 0;
  for (; i < text.size(); ++i) {
    if (!is_inside(text[i]) && column-- == 0) break;
  }
  return i;
}

}  // namespace

size_t columns(std::string_view text) {
  return text.size() - static_cast<size_t>(std::ranges::count_if(text, is_inside));
}

std::string shortened(const std::string& text, size_t width) {
  constexpr std::string_view kMore = "...";
  size_t whole = columns(text);
  if (whole <= width || width < 4 * kMore.size()) return text;
  size_t room = width - kMore.size();
  size_t behind = room / 3;
  return fmt::format("{}{}{}", text.substr(0, at_column(text, room - behind)), kMore,
                     text.substr(at_column(text, whole - behind)));
}

std::string padded(std::string text, size_t width) {
  size_t own = columns(text);
  if (own < width) text.append(width - own, ' ');
  return text;
}

}  // namespace heddle::report
