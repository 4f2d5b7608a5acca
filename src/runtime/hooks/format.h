// What a function of printf's kind reads for the code that calls it: the format, and the texts
// among its arguments.
#pragma once

#include <stdarg.h>

#include "runtime/before.h"

namespace heddle::runtime {

// The arguments of a call behind those that have names. The first argument that has none is number
// `first`.
class VariableArguments {
 public:
  VariableArguments(const Call& call, int first);
  VariableArguments(const VariableArguments&) = delete;
  VariableArguments& operator=(const VariableArguments&) = delete;
  ~VariableArguments() { va_end(list); }

  va_list list;

 private:
  // As the ABI has a function with variable arguments save its registers.
  alignas(16) char registers_[sizeof Call::arguments + Call::kVectorBytes];
};

void reads_format(const char* format, va_list arguments, uint64_t pc);

}  // namespace heddle::runtime
