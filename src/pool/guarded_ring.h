// The engine's ends of the two rings.
//
// They differ from wire/ring.h in one thing: they trust nothing that lies in the region. Positions,
// offsets and capacities are private copies; what the other side owns is checked before it is used.
// `garbage` means that the program under test has written over the region, and that the worker is
// of no more use.
#pragma once

#include <cstdint>
#include <cstring>

#include "pool/shared_region.h"
#include "wire/layout.h"
#include "wire/ring.h"

namespace heddle::pool {

enum class RingState { ready, empty_or_full, garbage };

class JobWriter {
 public:
  JobWriter() = default;
  explicit JobWriter(const SharedRegion& region)
      : ring_(&region.get()->jobs), bytes_(region.job_bytes()), capacity_(region.job_capacity()) {}

  // Room for a body of `size` bytes (a multiple of 8) at *body.
  RingState reserve(uint64_t size, void** body) {
    uint64_t length = size + sizeof(uint64_t);
    uint64_t place = tail_ & (capacity_ - 1);
    uint64_t skip = place + length > capacity_ ? capacity_ - place : 0;
    if (tail_ + skip + length - head_ > capacity_) {
      if (!refresh_head()) return RingState::garbage;
      if (tail_ + skip + length - head_ > capacity_) return RingState::empty_or_full;
    }
    if (skip != 0) {
      store_length(place, wire::Ring::kWrap);
      place = 0;
    }
    store_length(place, length);
    position_ = tail_ + skip;
    next_tail_ = position_ + length;
    *body = bytes_ + place + sizeof(uint64_t);
    return RingState::ready;
  }

  void publish() {
    tail_ = next_tail_;
    ring_->tail.store(tail_, std::memory_order_release);
    ++silent_;
  }

  // Wakes the reader if it sleeps. Costs a fence: once for several jobs.
  void ring_bell() {
    silent_ = 0;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (ring_->sleeping.load(std::memory_order_relaxed) == 0) return;
    wake();
  }
  void wake() {
    ring_->bell.fetch_add(1, std::memory_order_release);
    wire::futex_wake(&ring_->bell);
  }
  uint32_t silent() const { return silent_; }  // published since the last bell

  uint64_t position() const { return position_; }  // of the record for which there is room

  // Where the next record begins at the earliest, and how far the reader has come (false: garbage).
  uint64_t tail() const { return tail_; }
  bool head(uint64_t* head) {
    if (!refresh_head()) return false;
    *head = head_;
    return true;
  }

 private:
  bool refresh_head() {
    uint64_t head = ring_->head.load(std::memory_order_acquire);
    if (head < head_ || head > tail_ || head % 8 != 0) return false;
    head_ = head;
    return true;
  }
  void store_length(uint64_t place, uint64_t length) {
    std::memcpy(bytes_ + place, &length, sizeof length);
  }

  wire::Ring* ring_ = nullptr;
  char* bytes_ = nullptr;
  uint64_t capacity_ = 0;
  uint64_t head_ = 0;  // the reader's, as last seen
  uint64_t tail_ = 0;
  uint64_t position_ = 0;
  uint64_t next_tail_ = 0;
  uint32_t silent_ = 0;
};

class ResultReader {
 public:
  ResultReader() = default;
  explicit ResultReader(const SharedRegion& region)
      : ring_(&region.get()->results),
        bytes_(region.result_bytes()),
        capacity_(region.result_capacity()) {}

  // The next record: its body, of *size bytes, stays until pop().
  RingState peek(const char** body, uint64_t* size) {
    if (head_ == tail_) {
      uint64_t tail = ring_->tail.load(std::memory_order_acquire);
      if (tail == head_) return RingState::empty_or_full;
      if (tail - head_ > capacity_ || tail % 8 != 0) return RingState::garbage;
      tail_ = tail;
    }
    uint64_t place = head_ & (capacity_ - 1);
    uint64_t start = head_;
    uint64_t length = load_length(place);
    if (length == wire::Ring::kWrap) {
      start += capacity_ - place;
      place = 0;
      if (start >= tail_) return RingState::garbage;
      length = load_length(0);
    }
    if (length % 8 != 0 || length < sizeof(uint64_t) || length > capacity_ - place ||
        length > tail_ - start) {
      return RingState::garbage;
    }
    next_head_ = start + length;
    *body = bytes_ + place + sizeof(uint64_t);
    *size = length - sizeof(uint64_t);
    return RingState::ready;
  }

  void pop() {
    head_ = next_head_;
    ring_->head.store(head_, std::memory_order_release);
  }

  bool empty() const {
    return head_ == tail_ && ring_->tail.load(std::memory_order_acquire) == head_;
  }

  // Sleeps until the writer rings or the time is over; the caller looks again in any case.
  void wait(long milliseconds) {
    uint32_t bell = ring_->bell.load(std::memory_order_acquire);
    ring_->sleeping.store(1, std::memory_order_seq_cst);
    if (ring_->tail.load(std::memory_order_seq_cst) == head_) {
      wire::futex_wait(&ring_->bell, bell, milliseconds);
    }
    ring_->sleeping.store(0, std::memory_order_relaxed);
  }

 private:
  uint64_t load_length(uint64_t place) const {
    uint64_t length;
    std::memcpy(&length, bytes_ + place, sizeof length);
    return length;
  }

  wire::Ring* ring_ = nullptr;
  char* bytes_ = nullptr;
  uint64_t capacity_ = 0;
  uint64_t head_ = 0;
  uint64_t tail_ = 0;  // the writer's, as last seen
  uint64_t next_head_ = 0;
};

}  // namespace heddle::pool
