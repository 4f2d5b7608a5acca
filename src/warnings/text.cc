#include "warnings/text.h"

#include <fmt/format.h>

#include <charconv>

namespace heddle::warnings {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::optional<uint32_t> number(std::string_view text) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  size_t begin = text.find(before);
  if (begin == std::string_view::npos) return std::nullopt;
  begin += before.size();
  size_t end = text.find(after, begin);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(begin, end - begin);
}

std::string shown(std::string_view text, size_t most) {
  text = trimmed(text);
  std::string out;
  for (char c : text.substr(0, most)) {
    auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? '?' : c;
  }
  // Not in the middle of a character of several bytes.
  if (text.size() > most) {
    while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xc0) == 0x80) out.pop_back();
    if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0x80) out.pop_back();
    out += "…";
  }
  return out;
}

std::string at_line(size_t line, std::string_view why) {
  return fmt::format("line {}: {}", line, why);
}

}  // namespace heddle::warnings
