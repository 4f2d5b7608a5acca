// The program to be tested: found as a shell would find it, and looked at before it is run, so that
// a mistake is told in words instead of by a process that behaves oddly.
#pragma once

#include <string>
#include <vector>

namespace heddle::session {

struct Program {
  std::string path;                  // absolute
  std::vector<std::string> command;  // as typed: name and arguments
  std::string preload;               // libheddle.so, if the program does not bring it; else empty
};

// Throws UserError if there is no such program, it cannot be executed, or it was not built with the
// wrappers and need be: `uninstrumented` programs are controlled at their library calls.
// The verb is for what it says.
Program find_program(const std::vector<std::string>& command, bool uninstrumented = false,
                     const char* verb = "run");

// The program of this name in one of the folders of PATH; empty: there is none.
std::string find_on_path(const std::string& name);

// Hexadecimal; empty if the file has none, or cannot be read.
std::string build_id_of(const std::string& path);

// Whether the library was built with the wrappers.
bool is_instrumented(const std::string& path);

// Where the program or library has inline assembly that touches memory, as the wrappers have
// recorded it in its file: "queue.h:41".
std::vector<std::string> assembly_of(const std::string& path);

}  // namespace heddle::session
