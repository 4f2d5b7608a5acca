// Call stacks in reports: which of their frames is in the user's source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warnings/warning.h"

namespace heddle::warnings {

struct Frame {
  Location where;      // line 0: not known
  std::string module;  // the library or the program; may be empty
};

// Innermost first.
struct Stack {
  std::string heading;  // what the tool says of it: "Previous write of size 4 at …"
  uint32_t line = 0;    // of the report, where the heading stands
  std::vector<Frame> frames;
  bool is_missing = false;  // the tool says that it has lost it
};

// Of libc, libstdc++, the compiler or the tool itself; or of nobody knows what.
bool is_foreign(const Frame& frame);

// The innermost frame in the user's source. nullopt: none is.
std::optional<Location> user_frame(const Stack& stack);

// The memory is freed here: a function of that name is called in the user's frame.
bool frees(const Stack& stack);

// Both orders of two places; one, if they are the same.
std::vector<Sequence> both_orders(const Location& one, const Location& other);

}  // namespace heddle::warnings
