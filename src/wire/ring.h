// Writing to and reading from a Ring: one writer, one reader, in two processes.
//
// The reader sleeps on a futex when the ring stays empty. The writer rings the bell only when it is
// told that the reader sleeps, and only at moments that it picks (ring_bell), since a full fence
// for every execution would cost more than the execution's bookkeeping. A reader therefore never
// sleeps without a time limit.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/raw_call.h"
#include "wire/layout.h"

namespace heddle::wire {

// Own system call: inside the tested program libc's `syscall` is ours and would see an operation.
inline long futex(std::atomic<uint32_t>* word, int op, uint32_t value, const timespec* limit) {
  return raw_call(SYS_futex, raw_argument(word), op, value, raw_argument(limit), 0, 0);
}

inline void futex_wait(std::atomic<uint32_t>* word, uint32_t value, long milliseconds) {
  timespec limit{milliseconds / 1000, milliseconds % 1000 * 1000000};
  futex(word, FUTEX_WAIT, value, &limit);
}

inline void futex_wake(std::atomic<uint32_t>* word) { futex(word, FUTEX_WAKE, 1 << 30, nullptr); }

// What writer and reader know of the ring is looked up once: from then on the program may have
// written over it.
class RingWriter {
 public:
  RingWriter() = default;
  // A writer may take over from one that died: it goes on where `tail` is.
  RingWriter(Region* region, Ring* ring)
      : ring_(ring),
        bytes_(at<char>(region, ring->offset)),
        capacity_(ring->capacity),
        tail_(ring->tail.load()) {}

  // Room for a record with a body of `size` bytes (a multiple of 8), or null while the ring is too
  // full.
  void* reserve(uint64_t size) {
    uint64_t length = size + sizeof(uint64_t);
    uint64_t tail = tail_;
    uint64_t place = tail & (capacity_ - 1);
    uint64_t skip = place + length > capacity_ ? capacity_ - place : 0;
    if (tail + skip + length - head_ > capacity_) {
      head_ = ring_->head.load(std::memory_order_acquire);
      if (tail + skip + length - head_ > capacity_) return nullptr;
    }
    if (skip != 0) {
      store_length(place, Ring::kWrap);
      tail += skip;
      place = 0;
    }
    store_length(place, length);
    next_tail_ = tail + length;
    return bytes_ + place + sizeof(uint64_t);
  }

  void publish() {
    tail_ = next_tail_;
    ring_->tail.store(tail_, std::memory_order_release);
  }

  void ring_bell() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (ring_->sleeping.load(std::memory_order_relaxed) == 0) return;
    ring_->bell.fetch_add(1, std::memory_order_release);
    futex_wake(&ring_->bell);
  }

 private:
  void store_length(uint64_t place, uint64_t length) {
    __builtin_memcpy(bytes_ + place, &length, sizeof length);
  }

  Ring* ring_ = nullptr;
  char* bytes_ = nullptr;
  uint64_t capacity_ = 0;
  uint64_t head_ = 0;  // the reader's, as last seen
  uint64_t tail_ = 0;
  uint64_t next_tail_ = 0;
};

class RingReader {
 public:
  RingReader() = default;
  // A reader may take over from one that died: it goes on where `head` is.
  RingReader(Region* region, Ring* ring)
      : ring_(ring),
        bytes_(at<char>(region, ring->offset)),
        capacity_(ring->capacity),
        head_(ring->head.load()),
        tail_(head_) {}

  // The next record's body, or null if there is none. It stays valid until pop().
  void* peek() {
    if (head_ == tail_) {
      tail_ = ring_->tail.load(std::memory_order_acquire);
      if (head_ == tail_) return nullptr;
    }
    uint64_t place = head_ & (capacity_ - 1);
    uint64_t length = load_length(place);
    if (length == Ring::kWrap) {
      head_ += capacity_ - place;
      ring_->head.store(head_, std::memory_order_release);
      place = 0;
      length = load_length(place);
    }
    next_head_ = head_ + length;
    return bytes_ + place + sizeof(uint64_t);
  }
  uint64_t position() const { return head_; }  // of the record that was peeked at

  void pop() {
    head_ = next_head_;
    ring_->head.store(head_, std::memory_order_release);
  }

  // Sleeps until the writer rings or the time is over. The caller looks again in any case.
  void wait(long milliseconds) {
    uint32_t bell = ring_->bell.load(std::memory_order_acquire);
    ring_->sleeping.store(1, std::memory_order_seq_cst);
    if (ring_->tail.load(std::memory_order_seq_cst) == head_) {
      futex_wait(&ring_->bell, bell, milliseconds);
    }
    ring_->sleeping.store(0, std::memory_order_relaxed);
  }

 private:
  uint64_t load_length(uint64_t place) const {
    uint64_t length;
    __builtin_memcpy(&length, bytes_ + place, sizeof length);
    return length;
  }

  Ring* ring_ = nullptr;
  char* bytes_ = nullptr;
  uint64_t capacity_ = 0;
  uint64_t head_ = 0;
  uint64_t tail_ = 0;  // the writer's, as last seen
  uint64_t next_head_ = 0;
};

}  // namespace heddle::wire
