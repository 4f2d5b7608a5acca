// For tests of control flow: a library, assembled while the test runs, with labels whose addresses
// are known.
#pragma once

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "trace/built_program.h"

namespace heddle::flow {

class Assembled {
 public:
  // Functions are given as function(name, code); other labels are for the test alone.
  explicit Assembled(const std::string& code, const std::string& flags = "-shared -Wl,--build-id") {
    trace::write_text(folder_ / "code.s", code + "\n.section .note.GNU-stack,\"\",@progbits\n");
    std::string command = "cc -nostdlib " + flags + " " + folder_ / "code.s" + " -o " + path();
    if (system(command.c_str()) != 0) throw std::runtime_error("it cannot be assembled: " + code);
    for (const std::string& line : trace::run_lines("nm " + path() + " 2> /dev/null")) {
      std::istringstream words(line);
      std::string address, kind, name;
      words >> address >> kind >> name;
      if (!name.empty()) labels_[name] = std::stoull(address, nullptr, 16);
    }
  }

  std::string path() const { return folder_ / "code.so"; }
  uint64_t operator[](const std::string& label) const { return labels_.at(label); }

 private:
  trace::TemporaryDirectory folder_;
  std::map<std::string, uint64_t> labels_;
};

inline std::string function(const std::string& name, const std::string& code) {
  return ".text\n.hidden " + name + "\n.globl " + name + "\n.type " + name + ",@function\n" + name +
         ":\n" + code + "\n.size " + name + ",.-" + name + "\n";
}

}  // namespace heddle::flow
