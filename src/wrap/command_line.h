// What a compiler command does, read from its arguments: the wrappers' only source of knowledge.
//
// Pure: no file is touched but through the reader of response files. When in doubt the reading
// leans to "leave it alone": an argument that is not understood is passed on as it is.
#pragma once

#include <string>
#include <vector>

#include "wrap/response_file.h"

namespace heddle::wrap {

struct CommandLine {
  // The user's arguments, less the options that ask for ThreadSanitizer's own runtime.
  std::vector<std::string> arguments;

  // There is something to compile or link: a file, "-" or a library. False for --version, -v,
  // -print-…, -Wl,--version, and for a command that ends in the middle of an option.
  bool has_input = false;
  bool links = false;       // to a program or a shared library
  bool instruments = true;  // false after -fno-sanitize=thread: this code is left alone

  bool has_assembly = false;         // a file in assembly is among the inputs
  std::vector<std::string> objects;  // those of the inputs that end with .o

  // The user already hands -tsan-distinguish-volatile to LLVM, which takes it only once.
  bool volatile_option_given = false;
  bool capture_option_given = false;

  // Index in `arguments` of "--", after which Clang takes every word for a file; otherwise size().
  size_t end_of_options = 0;

  // Options that cannot be had together with Heddle, as the user wrote them; empty if not given.
  std::string static_option;
  std::string machine_option;    // -m32, --target=aarch64-…
  std::string sanitizer_option;  // -fsanitize=address
};

CommandLine read_command_line(const std::vector<std::string>& arguments, const FileReader& read);

}  // namespace heddle::wrap
