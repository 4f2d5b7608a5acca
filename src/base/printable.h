// Text from programs, files and names, made fit for a terminal: control characters, those of the
// second set too (C1), marks that turn the direction of text, and bytes that are no UTF-8 become
// \xNN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

// The bytes of the character that the text begins with; 0: none that can be shown. The text is not
// empty.
constexpr size_t printable_bytes(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  uint32_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  size_t size = first >= 0xf0 && first < 0xf5   ? 4
                : first >= 0xe0 && first < 0xf0 ? 3
                : first >= 0xc2 && first < 0xe0 ? 2
                                                : 0;
  if (size == 0 || text.size() < size) return 0;
  uint32_t code = first & (0x7f >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  bool is_valid = code >= kLeast[size] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  bool is_control = code < 0xa0;
  bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
               code == 0x200e || code == 0x200f;
  return is_valid && !is_control && !turns ? size : 0;
}

// `kept`: control characters that stay as they are.
inline std::string printable(std::string_view text, std::string_view kept = "") {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string result;
  while (!text.empty()) {
    size_t size = printable_bytes(text);
    if (size == 0 && kept.find(text[0]) != std::string_view::npos) size = 1;
    if (size != 0) {
      result += text.substr(0, size);
      text.remove_prefix(size);
      continue;
    }
    auto byte = static_cast<unsigned char>(text[0]);
    result += "\\x";
    result += kDigits[byte >> 4];
    result += kDigits[byte & 15];
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace heddle
