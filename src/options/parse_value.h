// Values of options from text. Each throws UserError: "--jobs: 'many' is not a whole number from 1
// to 64; e.g. --jobs 2".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace heddle::options {

uint64_t parse_number(const char* option, const std::string& text, uint64_t least, uint64_t most,
                      const char* example);
double parse_seconds(const char* option, const std::string& text, const char* example);
// Bytes, with a unit: 512K, 64M, 2G or 1T; at least 1M.
uint64_t parse_size(const char* option, const std::string& text, const char* example);
// The name of a file, or -.
std::string parse_file(const char* option, const std::string& text, const char* example);
bool parse_flag(const char* option, const std::string& text);

struct Named {
  const char* name;
  int value;
};
// Numbers in hexadecimal, with commas between them; none if the text is empty.
std::vector<uint64_t> parse_names(const char* option, const std::string& text);
int parse_name(const char* option, const std::string& text, std::initializer_list<Named> names);

}  // namespace heddle::options
