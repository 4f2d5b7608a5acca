// Exceptions that threads share, by std::exception_ptr or a future. libstdc++ counts who holds one,
// in code of its own that no hook sees. Whoever lets go of an exception gives away what it has done
// with it, and whoever lets go last, and destroys it, gets that. Who that is depends on the order.
#include "runtime/detect/order.h"
#include "runtime/detect/outside.h"
#include "runtime/real.h"

extern "C" {
// std::exception_ptr std::current_exception(): returned through a hidden pointer; its only member
// is the object.
__attribute__((weak)) void** heddle_caught_exception(void** result) __asm__(
    "_ZSt17current_exceptionv");
// std::exception_ptr::_M_release()
HEDDLE_EXPORT void heddle_release_exception(void** self) __asm__(
    "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
HEDDLE_EXPORT void __cxa_end_catch();
}

using namespace heddle;
using namespace heddle::runtime;

namespace {

void let_go_of(void* exception, uint64_t pc) {
  if (exception == nullptr) return;
  touch_library(owners_of(exception), true, pc);
  if (!g_ordering) return;
  order_release(reinterpret_cast<uint64_t>(exception));
  order_acquire(reinterpret_cast<uint64_t>(exception));
}

}  // namespace

void heddle_release_exception(void** self) {
  if (g_active) let_go_of(*self, HEDDLE_CALLER);
  HEDDLE_REAL(exception_release)(self);
}

void __cxa_end_catch() {
  if (g_active && heddle_caught_exception != nullptr) {
    void* exception = nullptr;
    heddle_caught_exception(&exception);
    let_go_of(exception, HEDDLE_CALLER);
    if (exception != nullptr) HEDDLE_REAL(exception_release)(&exception);
  }
  HEDDLE_REAL(end_catch)();
}
