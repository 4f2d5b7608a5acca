// Functions that stand before libc's only to look at their arguments: while an execution runs, a
// function of the runtime is called with them; then libc's own takes over, by a jump, as if it had
// been called itself. So they take any arguments, variable ones too, and return what libc does,
// errno included. Outside of an execution there is a branch, and the jump.
//
//   HEDDLE_LOOK(heddle_rename) { touch_outside(…, call.pc); }
//   HEDDLE_BEFORE(rename, heddle_rename)
//
// What looks may switch threads. Functions of libstdc++ can be looked at in the same way: it need
// not be there, and may be loaded later.
#pragma once

#include "runtime/runtime.h"

namespace heddle::runtime {

// What the function was called with, as heddle_before_libc (before_libc.S) leaves it on the stack.
struct Call {
  static constexpr int kVectorBytes = 128;

  uint64_t arguments[6];  // those that are integers or pointers
  uint64_t vectors;       // how many others there are, if their number varies
  uint64_t stub;
  uint64_t pc;  // where the call returns to

  int integer(int number) const { return static_cast<int>(arguments[number]); }
  template <typename T>
  T* pointer(int number) const {
    return reinterpret_cast<T*>(arguments[number]);
  }
  const char* text(int number) const { return pointer<const char>(number); }

  // The registers that hold what is a float or a double, and what did not fit into registers.
  const void* vector_registers() const {
    return reinterpret_cast<const char*>(this) - kVectorBytes - sizeof(uint64_t);
  }
  const void* on_the_stack() const { return &pc + 1; }
};

// Asked of record/: a thread is about to call such a function.
void libc_is_called();

}  // namespace heddle::runtime

#define HEDDLE_LOOK(look)                                           \
  extern "C" __attribute__((visibility("hidden"), used)) void look( \
      [[maybe_unused]] const ::heddle::runtime::Call& call)

// The stub, and its record in a section of its own: where libc's function is, and its name. `first`
// are instructions that are performed in any case.
// clang-format off
#define HEDDLE_BEFORE_AND(name, look, first)     \
  __asm__(                                       \
      ".pushsection heddle_before, \"aw\"\n"     \
      ".balign 8\n"                              \
      "heddle_before_" #name ":\n"               \
      ".quad heddle_before_first, 3f\n"          \
      ".popsection\n"                            \
      ".pushsection .rodata\n"                   \
      "3: .asciz \"" #name "\"\n"                \
      ".popsection\n"                            \
      ".text\n"                                  \
      ".globl " #name "\n"                       \
      ".type " #name ", @function\n"             \
      ".align 16\n" #name ":\n"                  \
      ".cfi_startproc\n"                         \
      first                                      \
      "cmpb $0, heddle_g_active(%rip)\n"         \
      "jne 2f\n"                                 \
      "1: leaq heddle_before_" #name "(%rip), %r11\n" \
      "jmp *(%r11)\n"                            \
      "2: leaq " #look "(%rip), %r11\n"          \
      "call heddle_before_libc\n"                \
      "jmp 1b\n"                                 \
      ".cfi_endproc\n"                           \
      ".size " #name ", . - " #name "\n");
// clang-format on

#define HEDDLE_BEFORE(name, look) HEDDLE_BEFORE_AND(name, look, "")
