#include "trace/quoted.h"

#include <algorithm>
#include <cstdio>

namespace heddle::trace {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The character of an escape with one letter, or 0.
char simple_escape(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case '"':
    case '\\':
    case '/':
      return letter;
    default:
      return 0;
  }
}

void append_utf8(uint32_t code, std::string* out) {
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xc0 | code >> 6);
    *out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    *out += static_cast<char>(0xe0 | code >> 12);
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    *out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

}  // namespace

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (is_control(c)) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned char>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string quote_if_needed(std::string_view text) {
  bool plain = !text.empty() && text.front() != '"' && text.front() != ' ' && text.back() != ' ' &&
               text.front() != '#' && std::none_of(text.begin(), text.end(), is_control);
  return plain ? std::string(text) : quote(text);
}

std::optional<std::string> unquote(std::string_view text) {
  if (text.empty() || text.front() != '"') return std::string(text);
  std::string out;
  for (size_t i = 1; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') return i + 1 == text.size() ? std::optional(out) : std::nullopt;
    if (is_control(c)) return {};
    if (c != '\\') {
      out += c;
      continue;
    }
    if (++i == text.size()) return {};
    if (text[i] == 'u') {
      uint32_t code = 0;
      for (int digit = 0; digit < 4; ++digit) {
        int value = ++i < text.size() ? hex_digit(text[i]) : -1;
        if (value < 0) return {};
        code = code * 16 + static_cast<uint32_t>(value);
      }
      if (code >= 0xd800 && code < 0xe000) return {};  // half of a pair: we never write one
      append_utf8(code, &out);
    } else if (char plain = simple_escape(text[i])) {
      out += plain;
    } else {
      return {};
    }
  }
  return {};
}

}  // namespace heddle::trace
