// See calls.h.
#include "runtime/detect/calls.h"

#include <string.h>

#include "base/hash.h"
#include "runtime/decide/guide.h"
#include "runtime/record/clock.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

bool g_keep_calls;
bool g_track_calls;
bool g_follow_calls;

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
uint32_t g_calls_used;  // threads below this number have kept calls since the last reset

// The stacks kept last: a loop comes by the same places again and again.
constexpr uint64_t kRecent = 1024;
KeptStack* g_recent[kRecent];

Calls& calls_of_current() {
  uint32_t index = g_run.current->index;
  if (index >= g_calls_used) g_calls_used = index + 1;
  return g_calls[index];
}

}  // namespace

void call_entered(uint64_t return_address) {
  Calls& calls = calls_of_current();
  if (calls.depth < kMaxCalls) calls.frames[calls.depth] = return_address;
  ++calls.depth;
  calls.kept = nullptr;
}

void call_left() {
  Calls& calls = calls_of_current();
  if (calls.depth > 0) --calls.depth;
  calls.kept = nullptr;
}

void calls_reset() {
  for (uint32_t i = 0; i < g_calls_used; ++i) {
    g_calls[i].depth = 0;
    g_calls[i].kept = nullptr;
  }
  g_calls_used = 0;
  memset(g_recent, 0, sizeof g_recent);
}

uint32_t calls_of(const Thread* thread, const uint64_t** out) {
  if (thread->index >= g_calls_used) return 0;
  const Calls& calls = g_calls[thread->index];
  *out = calls.frames;
  return calls.depth < kMaxCalls ? calls.depth : kMaxCalls;
}

uint64_t keep_stack(uint64_t pc) {
  Calls& calls = calls_of_current();
  if (calls.kept == nullptr) {
    uint32_t depth = calls.depth < kMaxCalls ? calls.depth : kMaxCalls;
    calls.kept_count = depth < wire::kFrames ? depth : wire::kFrames;
    calls.kept =
        static_cast<uint64_t*>(take_detector_memory(calls.kept_count * sizeof(uint64_t) + 8));
    for (uint32_t i = 0; i < calls.kept_count; ++i) calls.kept[i] = calls.frames[depth - 1 - i];
  }
  KeptStack*& recent = g_recent[mix(pc, reinterpret_cast<uint64_t>(calls.kept)) % kRecent];
  if (recent == nullptr || recent->pc != pc || recent->callers != calls.kept) {
    recent = static_cast<KeptStack*>(take_detector_memory(sizeof(KeptStack)));
    *recent = {pc, calls.kept, calls.kept_count};
  }
  return reinterpret_cast<uint64_t>(recent);
}

uint64_t pc_of_place(uint64_t place) {
  return g_keep_calls ? reinterpret_cast<const KeptStack*>(place)->pc : place;
}

void stack_of_place(uint64_t place, wire::Stack* stack) {
  memset(stack, 0, sizeof *stack);
  stack->pc[stack->count++] = pc_of_place(place);
  if (!g_keep_calls) return;
  const auto* kept = reinterpret_cast<const KeptStack*>(place);
  for (uint32_t i = 0; i < kept->count && stack->count < wire::kFrames; ++i) {
    stack->pc[stack->count++] = kept->callers[i];
  }
}

}  // namespace heddle::runtime
