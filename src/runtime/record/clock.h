// Vector clocks: how far each thread had come when something happened. Entry i is of thread i; what
// is not there is 0.
//
// Their memory is a stretch of our own that only grows during an execution and is forgotten as a
// whole with it.
#pragma once

#include <cstdint>

#include "runtime/runtime.h"

namespace heddle::runtime {

class Clock {
 public:
  uint32_t get(uint32_t thread) const {
    if (HEDDLE_LIKELY(thread < kNear)) return static_cast<uint32_t>(near_[thread]);
    return thread - kNear < far_count_ ? far_[thread - kNear] : 0;
  }

  void set(uint32_t thread, uint32_t time) {
    if (HEDDLE_LIKELY(thread < kNear)) {
      near_[thread] = static_cast<int32_t>(time);
    } else {
      set_far(thread - kNear, time);
    }
  }

  // The later of both, thread by thread.
  void join(const Clock& other) {
    near_ = near_ > other.near_ ? near_ : other.near_;
    if (HEDDLE_UNLIKELY(other.far_count_ != 0)) join_far(other);
  }

  void assign(const Clock& other) {
    near_ = other.near_;
    if (HEDDLE_UNLIKELY((far_count_ | other.far_count_) != 0)) assign_far(other);
  }

 private:
  // The first threads, of which most tests have no more: in one register. Signed, since that is
  // what the processor compares; no thread comes so far.
  static constexpr uint32_t kNear = 4;
  typedef int32_t Near __attribute__((vector_size(kNear * sizeof(int32_t))));

  void grow(uint32_t count);
  void set_far(uint32_t number, uint32_t time);
  void join_far(const Clock& other);
  void assign_far(const Clock& other);

  Near near_ = {};
  uint32_t* far_ = nullptr;  // the others
  uint32_t far_count_ = 0;
  uint32_t capacity_ = 0;  // of far_
};

void clocks_reset();
// Memory for the detectors, until the execution ends.
void* take_detector_memory(uint64_t bytes);
extern char* g_detector_memory;  // where it begins; nobody gets its first bytes

}  // namespace heddle::runtime
