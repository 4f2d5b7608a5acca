// See clock.h.
#include "runtime/record/clock.h"

#include "runtime/own_memory.h"
#include "runtime/real.h"

namespace heddle::runtime {

char* g_detector_memory;

namespace {

// Address space, not memory: an execution uses what it needs.
constexpr uint64_t kMemory = uint64_t{64} << 30;
constexpr uint64_t kFirst = 16;
uint64_t g_used = kFirst;

// Clocks are short: a call costs more than to copy them here.
void copy(uint32_t* to, const uint32_t* from, uint32_t count) {
  constexpr uint32_t kFew = 32;
  if (count > kFew) {
    HEDDLE_REAL(memcpy)(to, from, count * sizeof(uint32_t));
    return;
  }
  for (; count > 0; --count) {
    *to++ = *from++;
    __asm__ volatile("" : "+r"(to));  // or it is taken for a memcpy after all
  }
}

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
    copy(at, at_, size_);
    at_ = at;
    capacity_ = capacity;
  }
  while (size_ < size) {
    at_[size_++] = 0;
    __asm__ volatile("" : "+r"(size));  // or it is taken for a memset after all
  }
}

void Clock::join_into_empty(const Clock& other) {
  if (other.size_ > capacity_) grow(other.size_);
  size_ = other.size_;
  copy(at_, other.at_, size_);
}

}  // namespace heddle::runtime
