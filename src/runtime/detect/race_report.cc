// See race_report.h.
#include "runtime/detect/race_report.h"

#include <string.h>

#include "base/hash.h"
#include "runtime/detect/clock.h"
#include "runtime/detect/ending.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

bool g_keep_calls;

namespace {

constexpr uint32_t kMaxCalls = 256;  // deeper calls are counted, not kept

struct Calls {
  uint32_t depth;
  uint64_t frames[kMaxCalls];
  uint64_t* kept;  // the innermost frames as last copied; null: they have changed since
  uint32_t kept_count;
};

struct KeptStack {
  uint64_t pc;
  const uint64_t* callers;
  uint32_t count;
};

Calls g_calls[wire::kMaxThreads + 1];

void copy_stack(const Access& access, wire::Stack* stack) {
  const auto* kept = reinterpret_cast<const KeptStack*>(access.pc);
  memset(stack, 0, sizeof *stack);
  stack->count = 1;
  stack->pc[0] = kept->pc;
  for (uint32_t i = 0; i < kept->count && stack->count < wire::kFrames; ++i)
    stack->pc[stack->count++] = kept->callers[i];
}

wire::RaceAccess show(const Access& access) {
  wire::RaceAccess shown{};
  shown.thread = access.thread;
  shown.is_write = (access.flags & kWriteAccess) != 0;
  shown.is_atomic = (access.flags & kAtomicAccess) != 0;
  shown.is_free = (access.flags & kFreeAccess) != 0;
  shown.size = static_cast<uint8_t>(__builtin_popcount(access.bytes));
  copy_stack(access, &shown.stack);
  return shown;
}

const char* words(const Access& access) {
  if ((access.flags & kFreeAccess) != 0) return "free";
  bool write = (access.flags & kWriteAccess) != 0;
  if ((access.flags & kAtomicAccess) != 0) return write ? "atomic write" : "atomic read";
  return write ? "write" : "read";
}

}  // namespace

void call_entered(uint64_t return_address) {
  Calls& calls = g_calls[g_run.current->index];
  if (calls.depth < kMaxCalls) calls.frames[calls.depth] = return_address;
  ++calls.depth;
  calls.kept = nullptr;
}

void call_left() {
  Calls& calls = g_calls[g_run.current->index];
  if (calls.depth > 0) --calls.depth;
  calls.kept = nullptr;
}

void calls_reset() {
  for (Calls& calls : g_calls) {
    if (calls.depth != 0 || calls.kept != nullptr) calls.depth = 0, calls.kept = nullptr;
  }
}

uint64_t access_place(uint64_t pc) {
  if (HEDDLE_LIKELY(!g_keep_calls)) return pc;
  Calls& calls = g_calls[g_run.current->index];
  if (calls.kept == nullptr) {
    uint32_t depth = calls.depth < kMaxCalls ? calls.depth : kMaxCalls;
    calls.kept_count = depth < wire::kFrames ? depth : wire::kFrames;
    calls.kept =
        static_cast<uint64_t*>(take_detector_memory(calls.kept_count * sizeof(uint64_t) + 8));
    for (uint32_t i = 0; i < calls.kept_count; ++i) calls.kept[i] = calls.frames[depth - 1 - i];
  }
  auto* stack = static_cast<KeptStack*>(take_detector_memory(sizeof(KeptStack)));
  *stack = {pc, calls.kept, calls.kept_count};
  return reinterpret_cast<uint64_t>(stack);
}

void report_race(uint64_t cell_address, const Access& earlier, const Access& later) {
  uint64_t earlier_pc = earlier.pc, later_pc = later.pc;
  uint8_t common = earlier.bytes & later.bytes;
  uint64_t address = cell_address + static_cast<uint64_t>(__builtin_ctz(common));
  if (g_keep_calls) {
    earlier_pc = reinterpret_cast<const KeptStack*>(earlier.pc)->pc;
    later_pc = reinterpret_cast<const KeptStack*>(later.pc)->pc;
    wire::RaceDetail& race = wire::detail(g_region)->race;
    race.address = address;
    race.accesses[0] = show(earlier);
    race.accesses[1] = show(later);
  }
  // The same race whichever of the two comes first.
  uint64_t key = object_name(earlier_pc) + object_name(later_pc);
  end_with_race(later_pc, key,
                "%s by thread %u and %s by thread %u, to the same memory, in no order",
                words(earlier), earlier.thread, words(later), later.thread);
}

}  // namespace heddle::runtime
