// Numbers, plurals and colours of the text report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

// Terminal colours, or none.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string red(std::string_view text) const { return wrap("31;1", text); }
  std::string green(std::string_view text) const { return wrap("32;1", text); }
  std::string yellow(std::string_view text) const { return wrap("33;1", text); }
  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const;
  bool on_;
};

std::string grouped(uint64_t number);                         // "1,234,567"
std::string counted(uint64_t number, std::string_view noun);  // "1 step", "1,234 steps"
std::string duration(double seconds);                         // "0.02 s", "3 min 5 s"
// "about 12,000 (8,500 to 20,000)": two digits count.
std::string estimated(double estimate, double low, double high);

// For one line of a terminal: control characters that the program wrote must not steer it.
std::string printable(std::string_view text);
std::vector<std::string> split_lines(std::string_view text);

// As a word of the shell.
std::string shell_word(const std::string& text);

// How many columns of a terminal it takes: characters, not bytes.
size_t columns(std::string_view text);
// No wider than that, with dots in the middle where something was left out; of a very small width,
// as it is.
std::string shortened(const std::string& text, size_t width);
// With spaces to a width; a longer text stays as it is.
std::string padded(std::string text, size_t width);

}  // namespace heddle::report
