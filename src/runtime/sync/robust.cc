// See robust.h.
#include "runtime/sync/robust.h"

#include "runtime/ending/ending.h"

namespace heddle::runtime {

namespace {

struct Held {
  uint64_t mutex;
  uint32_t thread;
};

constexpr uint32_t kMaxHeld = 4096;
Held g_held[kMaxHeld];  // in the order of taking
uint32_t g_count;       // in this execution

void remove(uint32_t index) {
  --g_count;
  for (uint32_t i = index; i < g_count; ++i) g_held[i] = g_held[i + 1];
}

}  // namespace

void note_robust(uint64_t mutex, const Thread* thread) {
  if (g_count == kMaxHeld) end_unsupported("more than 4,096 robust mutexes held at once", 0);
  g_held[g_count++] = {mutex, thread->index};
}

void forget_robust(uint64_t mutex) {
  for (uint32_t i = g_count; i > 0; --i) {
    if (g_held[i - 1].mutex == mutex) return remove(i - 1);
  }
}

uint64_t take_robust(const Thread* thread) {
  for (uint32_t i = g_count; i > 0; --i) {
    if (g_held[i - 1].thread != thread->index) continue;
    uint64_t mutex = g_held[i - 1].mutex;
    remove(i - 1);
    return mutex;
  }
  return 0;
}

void robust_reset() { g_count = 0; }

}  // namespace heddle::runtime
