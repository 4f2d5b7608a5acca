// See hand_over.h.
#include "runtime/carrier/hand_over.h"

#include <signal.h>
#include <sys/mman.h>

#include <atomic>

#include "runtime/real.h"
#include "runtime/run.h"
#include "wire/ring.h"

extern "C" void heddle_switch(void** save_sp, void* load_sp, uint64_t fs);

namespace heddle::runtime {

bool g_hands_over;

namespace {

constexpr size_t kAlternateStack = 256 * 1024;  // as that of main's: ending/signals.cc

sigset_t g_mask;  // the program's, while nobody has the turn

std::atomic<uint32_t>* turn_of(Slot* slot) {
  return reinterpret_cast<std::atomic<uint32_t>*>(&slot->turn);
}

void give_turn(Slot* slot) {
  turn_of(slot)->store(1, std::memory_order_release);
  wire::futex_wake(turn_of(slot));
}

void wait_for_turn(Slot* slot) {
  std::atomic<uint32_t>* turn = turn_of(slot);
  while (turn->load(std::memory_order_acquire) == 0) wire::futex(turn, FUTEX_WAIT, 0, nullptr);
  turn->store(0, std::memory_order_relaxed);
}

// All but what a breakpoint is to the kernel.
void block_signals() {
  sigset_t all;
  sigfillset(&all);
  sigdelset(&all, SIGTRAP);
  HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &all, &g_mask);
}

void unblock_signals() { HEDDLE_REAL(pthread_sigmask)(SIG_SETMASK, &g_mask, nullptr); }

void use_alternate_stack() {
  stack_t alternate{};
  alternate.ss_sp = HEDDLE_REAL(mmap)(nullptr, kAlternateStack, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  alternate.ss_size = kAlternateStack;
  if (alternate.ss_sp != MAP_FAILED) HEDDLE_REAL(sigaltstack)(&alternate, nullptr);
}

}  // namespace

void hand_over(Thread* from, Thread* to) {
  Slot* slot = from->slot;
  block_signals();
  if (from->state == State::ended && !slot->main) {
    slot->successor = to->slot;
    void* nowhere;
    heddle_switch(&nowhere, slot->loop_sp, slot->fs);
    __builtin_unreachable();
  }
  give_turn(to->slot);
  wait_for_turn(slot);
  unblock_signals();
}

void take_turns(Slot* slot) {
  use_alternate_stack();
  for (;;) {
    wait_for_turn(slot);
    unblock_signals();
    heddle_switch(&slot->loop_sp, slot->thread->sp, slot->fs);
    give_turn(slot->successor);
  }
}

}  // namespace heddle::runtime
