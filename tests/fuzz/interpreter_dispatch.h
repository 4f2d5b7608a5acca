// From an instruction to the operation that it stands for.
#pragma once

#include <cstdint>

#include "interpreter_operations.h"
#include "interpreter_program.h"
#include "interpreter_results.h"

namespace fuzz {

// A thread's own; on its stack.
struct Registers {
  int body;
  Results* results;
  int64_t last;
  Object* pointer;
  int64_t mark, steady_mark;
  int descriptors[kMostDescriptors];
  int open;
};

void note_value(Registers& self, int64_t value);

// False: it is none of those without a body, or one that has to do with threads and with ends.
bool do_operation(Registers& self, const Instruction& instruction);

}  // namespace fuzz
