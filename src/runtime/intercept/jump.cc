// longjmp leaves functions without their exits: whether one that is in focus was among them, the
// stack pointer that is jumped to tells. Nothing else changes.
#include <setjmp.h>

#include "runtime/real.h"
#include "runtime/record/focus.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

// As setjmp of glibc keeps it: turned by 17 bits after a secret of the process was mixed in, which
// is at a fixed place of each thread's control block.
uint64_t stack_pointer_in(const __jmp_buf_tag* buffer) {
  constexpr int kPlace = 6;
  constexpr int kTurned = 17;
  uint64_t secret;
  __asm__("movq %%fs:0x30, %0" : "=r"(secret));
  auto kept = static_cast<uint64_t>(buffer->__jmpbuf[kPlace]);
  return (kept >> kTurned | kept << (64 - kTurned)) ^ secret;
}

void note_jump(const __jmp_buf_tag* buffer) {
  if (HEDDLE_UNLIKELY(g_focus_calls) && g_active) focus_jumped(stack_pointer_in(buffer));
}

}  // namespace

HEDDLE_EXPORT void longjmp(__jmp_buf_tag* buffer, int value) noexcept {
  note_jump(buffer);
  HEDDLE_REAL(longjmp)(buffer, value);
  __builtin_unreachable();
}

HEDDLE_EXPORT void _longjmp(__jmp_buf_tag* buffer, int value) noexcept {
  note_jump(buffer);
  HEDDLE_REAL(_longjmp)(buffer, value);
  __builtin_unreachable();
}

HEDDLE_EXPORT void siglongjmp(__jmp_buf_tag* buffer, int value) noexcept {
  note_jump(buffer);
  HEDDLE_REAL(siglongjmp)(buffer, value);
  __builtin_unreachable();
}

// What they are called with _FORTIFY_SOURCE.
HEDDLE_EXPORT __attribute__((noreturn)) void __longjmp_chk(__jmp_buf_tag* buffer,
                                                           int value) noexcept {
  note_jump(buffer);
  HEDDLE_REAL(longjmp_chk)(buffer, value);
  __builtin_unreachable();
}
