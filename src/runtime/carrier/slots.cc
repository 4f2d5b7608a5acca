// See slots.h.
#include "runtime/carrier/slots.h"

#include <asm/prctl.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/raw_call.h"
#include "runtime/carrier/aside.h"
#include "runtime/carrier/hand_over.h"
#include "runtime/carrier/tls.h"
#include "runtime/real.h"
#include "runtime/run.h"
#include "wire/ring.h"

extern "C" {
void heddle_switch(void** save_sp, void* load_sp, uint64_t fs);
void heddle_thread_start();
__attribute__((visibility("hidden"))) uint8_t heddle_use_wrfsbase;
}

namespace heddle::runtime {

namespace {

constexpr uint32_t kMaxSlots = wire::kMaxThreads + 1;
constexpr uint64_t kGuard = 4096;

// Address randomisation moves main's stack by multiples of 16; what is aligned on it more than that
// must not move against its beginning.
constexpr uint64_t kMainAlignment = 4096;

Slot g_slots[kMaxSlots];  // 0 is main's
uint32_t g_slot_count;    // made so far
uint32_t g_slots_used;    // in this execution: numbers below it have been taken
Slot* g_free;             // given back in this execution
void* g_loop_sp;          // of the worker's loop, while an execution runs
uint64_t g_main_top;      // of main's stack: a multiple of kMainAlignment
uint64_t g_main_fs;

uint64_t read_fs() {
  uint64_t fs;
  __asm__("movq %%fs:0, %0" : "=r"(fs));  // the descriptor's first word is its own address
  return fs;
}

// Of glibc's tcbhead_t, which the compilers know too: the words that never change.
struct ControlBlock {
  uint64_t self;
  uint64_t dtv;
  uint64_t self_again;
  uint64_t others[2];
  uint64_t guards[2];
};

void note_guards(Slot* slot) {
  memcpy(slot->guards, reinterpret_cast<const ControlBlock*>(slot->fs)->guards,
         sizeof slot->guards);
}

// What runs on a parked thread: it tells where it is and never comes back. Signals are blocked, so
// that no handler ever uses a stack that the carrier is using.
void* park(void* argument) {
  auto* slot = static_cast<Slot*>(argument);
  slot->fs = read_fs();
  note_guards(slot);
  slot->tid = real::gettid();
  // The parked thread's frames end here; leave its red zone and some room alone.
  slot->entry = (reinterpret_cast<uint64_t>(__builtin_frame_address(0)) - 4096) & ~uint64_t{63};
  static std::atomic<uint32_t> never;
  auto* ready = reinterpret_cast<std::atomic<uint32_t>*>(&slot->next_free);
  ready->store(1, std::memory_order_release);
  wire::futex_wake(ready);
  if (g_hands_over) take_turns(slot);
  for (;;) wire::futex(&never, FUTEX_WAIT, 0, nullptr);
  return nullptr;
}

// What heddle_switch finds on the stack of a thread that has not run yet. `top` is a multiple
// of 16.
// The same for every execution, whatever those before have left.
void clear_stack(uint64_t top) {
  HEDDLE_REAL(memset)(reinterpret_cast<void*>(top - kClearedStack), 0, kClearedStack);
}

void* first_frame(uint64_t top, void (*entry)()) {
  auto* sp = reinterpret_cast<uint64_t*>(top);
  *--sp = reinterpret_cast<uint64_t>(heddle_thread_start);
  *--sp = 0;                                  // rbp
  *--sp = reinterpret_cast<uint64_t>(entry);  // rbx
  for (int i = 0; i < 4; ++i) *--sp = 0;      // r12 to r15
  *--sp = uint64_t{0x037f} << 32 | 0x1f80;    // x87 control word and MXCSR as a new thread has them
  return sp;
}

bool make_slot(Slot* slot) {
  uint64_t low = kStackBase + slot->number * kStackStride;
  void* memory =
      HEDDLE_REAL(mmap)(reinterpret_cast<void*>(low), kStackSize, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED && errno != EEXIST) return false;
  HEDDLE_REAL(mprotect)(reinterpret_cast<void*>(low), kGuard, PROT_NONE);
  slot->low = low;
  slot->high = low + kStackSize;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, reinterpret_cast<void*>(low), kStackSize);
  sigset_t all, before;
  sigfillset(&all);
  if (g_hands_over) sigdelset(&all, SIGTRAP);
  real::pthread_sigmask(SIG_SETMASK, &all, &before);
  // Until the thread has told where it is, next_free serves as its flag.
  auto* ready = reinterpret_cast<std::atomic<uint32_t>*>(&slot->next_free);
  ready->store(0);
  pthread_t handle;
  int error = real::pthread_create(&handle, &attributes, park, slot);
  real::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (error != 0) return false;
  while (ready->load(std::memory_order_acquire) == 0) wire::futex_wait(ready, 0, 1000);
  slot->next_free = nullptr;
  return true;
}

}  // namespace

void slots_begin() {
  heddle_use_wrfsbase = (getauxval(AT_HWCAP2) & 2) != 0;
  g_main_fs = read_fs();
  g_slots[0].main = true;
  g_slots[0].fs = g_main_fs;
  note_guards(&g_slots[0]);
  g_slots[0].tid = real::gettid();
  g_slot_count = 1;
  slots_reset();
}

void slots_reset() {
  for (uint32_t i = 0; i < g_slots_used; ++i) {
    g_slots[i].thread = nullptr;
    g_slots[i].exits = nullptr;
    g_slots[i].cleanup = nullptr;
  }
  g_slots_used = 1;
  g_free = nullptr;
}

Slot* take_slot() {
  Slot* slot = g_free;
  if (slot != nullptr) {
    g_free = slot->next_free;
  } else {
    if (g_slots_used == kMaxSlots) return nullptr;
    slot = &g_slots[g_slots_used];
    if (g_slots_used == g_slot_count) {
      slot->number = g_slots_used;
      bool active = g_active;
      g_active = false;  // glibc's pthread_create must not see itself under control
      bool made = make_slot(slot);
      g_active = active;
      if (!made) return nullptr;
      ++g_slot_count;
    }
    ++g_slots_used;
  }
  slot->exits = nullptr;
  slot->cleanup = nullptr;
  tls_set_back(slot->fs);
  return slot;
}

void free_slot(Slot* slot) {
  if (slot->main) return;
  slot->next_free = g_free;
  g_free = slot;
}

Slot* main_slot() { return &g_slots[0]; }

Slot* slot_of(pthread_t thread) {
  if (thread == g_main_fs) return &g_slots[0];
  uint64_t number = (thread - kStackBase) / kStackStride;
  if (number == 0 || number >= g_slots_used || g_slots[number].fs != thread) return nullptr;
  return &g_slots[number];
}

bool is_intact(const Slot& slot) {
  const auto* block = reinterpret_cast<const ControlBlock*>(slot.fs);
  return block->self == slot.fs && block->self_again == slot.fs &&
         block->guards[0] == slot.guards[0] && block->guards[1] == slot.guards[1];
}

bool slots_are_intact() {
  for (uint32_t i = 0; i < g_slots_used; ++i) {
    if (HEDDLE_UNLIKELY(!is_intact(g_slots[i]))) return false;
  }
  return true;
}

bool is_stack_guard(uint64_t address) {
  uint64_t number = (address - kStackBase) / kStackStride;
  return number < g_slots_used && number > 0 && address - g_slots[number].low < kGuard;
}

bool stack_offset(uint64_t address, uint32_t* owner, uint64_t* offset) {
  uint64_t number = (address - kStackBase) / kStackStride;
  if (number < g_slots_used && number > 0) {
    const Slot& slot = g_slots[number];
    *owner = slot.thread != nullptr ? slot.thread->index : 0;
    *offset = slot.high - address;
    return true;
  }
  // Main's: downwards from where it begins, thread-local storage at either side of its descriptor.
  uint64_t below = g_main_top - address;
  if (below < kStackSize) {
    *owner = 0;
    *offset = below;
    return true;
  }
  uint64_t around = address - g_main_fs + kStackSize;
  if (around < 2 * kStackSize) {
    *owner = 0;
    *offset = 3 * kStackSize - around;
    return true;
  }
  return false;
}

bool is_of_slot(uint64_t address) {
  uint64_t number = (address - kStackBase) / kStackStride;
  bool is_of_other = number < g_slots_used && number > 0;
  return is_of_other || g_main_top - address < kStackSize || tls_contains(g_main_fs, address);
}

void prepare_thread(Thread* thread, void (*entry)()) {
  clear_stack(thread->slot->entry);
  thread->sp = first_frame(thread->slot->entry, entry);
  thread->stack_low = thread->slot->low;
  thread->stack_high = thread->slot->entry;
}

void switch_thread(Thread* from, Thread* to) {
  if (HEDDLE_UNLIKELY(g_hands_over)) return hand_over(from, to);
  heddle_switch(&from->sp, to->sp, to->slot->fs);
}

namespace {

alignas(64) char g_aside_stack[65536];
void* g_aside_sp;
void (*g_aside_body)(void*);

void aside_main() {
  g_aside_body(g_aside_sp);
  __builtin_unreachable();
}

}  // namespace

void go_aside(void (*body)(void* sp)) {
  g_aside_body = body;
  uint64_t top = reinterpret_cast<uint64_t>(g_aside_stack + sizeof g_aside_stack);
  heddle_switch(&g_aside_sp, first_frame(top, aside_main), read_fs());
}

void go_back_to(void* sp) {
  void* nowhere;
  heddle_switch(&nowhere, sp, read_fs());
  __builtin_unreachable();
}

void enter_run(void (*body)()) {
  // The main thread runs on the caller's own stack, 8 KiB further down, away from the loop's own
  // frames.
  uint64_t top = reinterpret_cast<uint64_t>(__builtin_frame_address(0)) - 8192;
  g_main_top = top & ~(kMainAlignment - 1);
  clear_stack(g_main_top);
  heddle_switch(&g_loop_sp, first_frame(g_main_top, body), g_main_fs);
}

void leave_run() {
  void* nowhere;
  heddle_switch(&nowhere, g_loop_sp, g_main_fs);
  __builtin_unreachable();
}

void use_storage_of_main() {
  if (!g_hands_over) raw_call(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(g_main_fs), 0);
}

}  // namespace heddle::runtime
