// A place in the source, as people know it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::symbols {

struct Place {
  std::string function;  // demangled; empty if unknown
  std::string file;      // as the compiler wrote it; empty if unknown
  int line = 0;
  std::string module;   // file name of the program or library
  uint64_t offset = 0;  // address within the module's file
  bool system = false;  // in a header or library of the system, not in the code of the user
  // In a library that was not rebuilt: what it orders is not known. libc and what every C++ program
  // has are none of those.
  bool foreign = false;
  // What stands there, without the blanks around it. Of a finding's stacks, the user's place has it
  // (trace/quote_source.h); empty if the file could not be read.
  std::string source{};
  // Of the line, from 1; where there is a `source`, of that. 0: not known.
  int column = 0;
};

using CallStack = std::vector<Place>;  // innermost first; inlined calls expanded

// The step's own place as the user sees it: the innermost that is not the system's and has a line,
// or is not the system's, or the innermost at all.
const Place* user_place(const CallStack& stack);
std::string short_place(const Place& place);  // "queue.h:41", or "libfoo.so+0x1234"

}  // namespace heddle::symbols
