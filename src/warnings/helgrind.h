// What Helgrind's text and its XML have in common: an error, with its call stacks.
#pragma once

#include <string>
#include <vector>

#include "warnings/read.h"
#include "warnings/stack.h"

namespace heddle::warnings {

struct HelgrindError {
  std::string what;  // "Possible data race during read of size 4 at 0x10C0E8 by thread #3"
  uint32_t line = 0;
  std::vector<Stack> stacks;  // the first one's heading is `what`
};

// Adds a warning, or says in `unread` why it is none.
void judge_helgrind(const HelgrindError& error, Reading* reading);

}  // namespace heddle::warnings
