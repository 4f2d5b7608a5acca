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

void Clock::grow(uint32_t count) {
  if (count > capacity_) {
    uint32_t capacity = count < 4 ? 4 : count * 2;
    auto* at = static_cast<uint32_t*>(take_detector_memory(capacity * sizeof(uint32_t)));
    copy(at, far_, far_count_);
    far_ = at;
    capacity_ = capacity;
  }
  while (far_count_ < count) {
    far_[far_count_++] = 0;
    __asm__ volatile("" : "+r"(count));  // or it is taken for a memset after all
  }
}

void Clock::set_far(uint32_t number, uint32_t time) {
  if (number >= far_count_) grow(number + 1);
  far_[number] = time;
}

// Without a jump for each entry, and sizes that a store might change.
void Clock::join_far(const Clock& other) {
  uint32_t count = other.far_count_;
  if (count > far_count_) grow(count);
  uint32_t* to = far_;
  const uint32_t* from = other.far_;
  for (uint32_t i = 0; i < count; ++i) to[i] = from[i] > to[i] ? from[i] : to[i];
}

void Clock::assign_far(const Clock& other) {
  uint32_t count = other.far_count_;
  far_count_ = 0;
  if (count > capacity_) grow(count);
  far_count_ = count;
  copy(far_, other.far_, count);
}

}  // namespace heddle::runtime
