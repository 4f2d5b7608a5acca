// See clock.h.
#include "runtime/record/clock.h"

#include "runtime/own_memory.h"

namespace heddle::runtime {

char* g_detector_memory;

namespace {

// Address space, not memory: an execution uses what it needs.
constexpr uint64_t kMemory = uint64_t{64} << 30;
constexpr uint64_t kFirst = 16;
uint64_t g_used = kFirst;

// Four entries at a time. Behind the last entry of a clock there are zeros, up to a multiple of
// four.
typedef int32_t __attribute__((vector_size(16), may_alias)) Four;
constexpr uint32_t fours(uint32_t count) { return (count + 3) / 4; }

Four* as_fours(uint32_t* entries) { return reinterpret_cast<Four*>(entries); }

void copy(uint32_t* to, uint32_t* from, uint32_t count) {
  for (uint32_t i = 0; i < fours(count); ++i) {
    as_fours(to)[i] = as_fours(from)[i];
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
    uint32_t capacity = fours(count * 2) * 4;
    auto* at = static_cast<uint32_t*>(take_detector_memory(capacity * sizeof(uint32_t)));
    copy(at, far_, far_count_);
    far_ = at;
    capacity_ = capacity;
  }
  for (uint32_t i = far_count_; i < fours(count) * 4; ++i) {
    far_[i] = 0;
    __asm__ volatile("" : "+r"(count));  // or it is taken for a memset after all
  }
  far_count_ = count;
}

void Clock::set_far(uint32_t number, uint32_t time) {
  if (number >= far_count_) grow(number + 1);
  far_[number] = time;
}

void Clock::join_far(const Clock& other) {
  uint32_t count = other.far_count_;
  if (count > far_count_) grow(count);
  Four* to = as_fours(far_);
  const Four* from = as_fours(other.far_);
  for (uint32_t i = 0; i < fours(count); ++i) to[i] = to[i] > from[i] ? to[i] : from[i];
}

void Clock::assign_far(const Clock& other) {
  uint32_t count = other.far_count_;
  far_count_ = 0;
  if (count > capacity_) grow(count);
  far_count_ = count;
  copy(far_, other.far_, count);
}

}  // namespace heddle::runtime
