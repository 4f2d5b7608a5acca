// The program to be tested: found as a shell would find it, and looked at before it is run, so that
// a mistake is told in words instead of by a process that behaves oddly.
#pragma once

#include <string>
#include <vector>

namespace heddle::session {

struct Program {
  std::string path;                  // absolute
  std::vector<std::string> command;  // as typed: name and arguments
};

// Throws UserError if there is no such program, it cannot be executed, or it was not built with the
// wrappers.
Program find_program(const std::vector<std::string>& command);

// Hexadecimal; empty if the file has none, or cannot be read.
std::string build_id_of(const std::string& path);

}  // namespace heddle::session
