// Vector clocks: how far each thread had come when something happened. Entry i is of thread i; what
// is not there is 0.
//
// Their memory is a stretch of our own that only grows during an execution and is forgotten as a
// whole with it.
#pragma once

#include <cstdint>

namespace heddle::runtime {

class Clock {
 public:
  uint32_t get(uint32_t thread) const { return thread < size_ ? at_[thread] : 0; }

  void set(uint32_t thread, uint32_t time) {
    if (thread >= size_) grow(thread + 1);
    at_[thread] = time;
  }

  // The later of both, thread by thread.
  void join(const Clock& other) {
    if (other.size_ > size_) grow(other.size_);
    // Without a jump for each entry, and sizes that a store might change.
    uint32_t* to = at_;
    const uint32_t* from = other.at_;
    for (uint32_t i = 0, size = other.size_; i < size; ++i) {
      to[i] = from[i] > to[i] ? from[i] : to[i];
    }
  }

  void assign(const Clock& other) {
    size_ = 0;
    join_into_empty(other);
  }

  bool is_empty() const { return size_ == 0; }

 private:
  void grow(uint32_t size);
  void join_into_empty(const Clock& other);

  uint32_t* at_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

void clocks_reset();
// Memory for the detectors, until the execution ends.
void* take_detector_memory(uint64_t bytes);
extern char* g_detector_memory;  // where it begins; nobody gets its first bytes

}  // namespace heddle::runtime
