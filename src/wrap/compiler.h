// The compiler that is wrapped: its command, and whether it is GCC or Clang.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::wrap {

enum class Family { kGcc, kClang };

struct Compiler {
  std::string variable;                // HEDDLE_CC or HEDDLE_CXX
  std::vector<std::string> command;    // the compiler, after launchers such as ccache
  std::vector<std::string> arguments;  // those that stand in the variable after the compiler
};

// `tool` is the name the wrapper was called by: one that ends in "++" stands for the C++ compiler.
// `setting` is the value of the variable; white space separates, leading words are the command.
std::string variable_for(std::string_view tool);
Compiler parse_compiler(std::string_view tool, std::string_view setting);

// The path a command would be started from, links resolved; empty if there is no such program.
std::string resolve_program(const std::string& name);

// By its name or the name it resolves to ("c++" is a link to "x86_64-linux-gnu-g++-12"); a compiler
// whose names say nothing is asked for its predefined macros.
Family family_of(const Compiler& compiler);

}  // namespace heddle::wrap
