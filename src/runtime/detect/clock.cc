// See clock.h.
#include "runtime/detect/clock.h"

#include <string.h>

#include "runtime/own_memory.h"

namespace heddle::runtime {

char* g_detector_memory;

namespace {

// Address space, not memory: an execution uses what it needs.
constexpr uint64_t kMemory = uint64_t{64} << 30;
constexpr uint64_t kFirst = 16;
uint64_t g_used = kFirst;

}  // namespace

void* take_detector_memory(uint64_t bytes) {
  if (HEDDLE_UNLIKELY(g_detector_memory == nullptr)) {
    g_detector_memory = static_cast<char*>(own_memory(kMemory));
  }
  bytes = (bytes + 15) & ~uint64_t{15};
  HEDDLE_INVARIANT(g_used + bytes <= kMemory);
  void* taken = g_detector_memory + g_used;
  g_used += bytes;
  return taken;
}

void clocks_reset() { g_used = kFirst; }

void Clock::grow(uint32_t size) {
  if (size > capacity_) {
    uint32_t capacity = size < 8 ? 8 : size * 2;
    auto* at = static_cast<uint32_t*>(take_detector_memory(capacity * sizeof(uint32_t)));
    memcpy(at, at_, size_ * sizeof(uint32_t));
    at_ = at;
    capacity_ = capacity;
  }
  memset(at_ + size_, 0, (size - size_) * sizeof(uint32_t));
  size_ = size;
}

void Clock::join_into_empty(const Clock& other) {
  if (other.size_ > capacity_) grow(other.size_);
  size_ = other.size_;
  memcpy(at_, other.at_, size_ * sizeof(uint32_t));
}

}  // namespace heddle::runtime
