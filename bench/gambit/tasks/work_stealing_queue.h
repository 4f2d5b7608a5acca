// A queue for each worker: its owner pushes and pops at the tail, thieves steal at the head.
//
// Thieves hold the lock. Both sides first move their index and then look at the other's: so the
// owner needs the lock only when a thief and it may be after the same item.
#pragma once

#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <vector>

#include "queue_lock.h"
#include "seeded.h"

namespace tasks {

template <class T>
class WorkStealingQueue {
 public:
  WorkStealingQueue() { grow(0, 0); }

  bool empty() const { return head_.load() >= tail_.load(); }

  void push(T* item) {
    long tail = tail_.load();
    // One slot is to spare: a thief that has moved the head may not have read its item yet.
    if (tail - head_.load() >= slots_.load()->size() - 1) {
      if (has_bug(4)) {
        grow(head_.load(), tail);
      } else {
        std::lock_guard lock(lock_);
        grow(head_.load(), tail);
      }
    }
    slots_.load()->at(tail).store(item);
    tail_.store(tail + 1);
  }

  T* pop() {
    long tail = tail_.load() - 1;
    long head = head_.load();
    if (head > tail) return nullptr;
    tail_.store(tail);
    if (!has_bug(2)) head = head_.load();
    if (head <= tail) return slots_.load()->at(tail).load();
    // A thief is after the same item. It has it, or it will see that it has come too late.
    std::lock_guard lock(lock_);
    if (head_.load() <= tail) return slots_.load()->at(tail).load();
    tail_.store(tail + 1);
    return nullptr;
  }

  T* steal() {
    if (empty()) return nullptr;
    lock_.lock();
    long head = head_.load();
    head_.store(head + 1);
    if (head >= tail_.load()) {
      head_.store(head);
      if (!has_bug(1)) lock_.unlock();
      return nullptr;
    }
    T* item = slots_.load()->at(head).load();
    assert(item);
    lock_.unlock();
    return item;
  }

 private:
  static constexpr long kFirstSize = 4;

  // A ring; its size is a power of two.
  class Slots {
   public:
    explicit Slots(long size) : slots_(size) {}
    long size() const { return static_cast<long>(slots_.size()); }
    std::atomic<T*>& at(long index) { return slots_[index & (size() - 1)]; }

   private:
    std::vector<std::atomic<T*>> slots_;
  };

  // The old slots stay: a thief may be reading them.
  void grow(long head, long tail) {
    Slots* old = slots_.load();
    kept_.push_back(std::make_unique<Slots>(old ? old->size() * 2 : kFirstSize));
    Slots* larger = kept_.back().get();
    for (long index = head; index < tail; ++index) larger->at(index).store(old->at(index).load());
    slots_.store(larger);
  }

  QueueLock lock_;
  std::atomic<long> head_ = 0;
  std::atomic<long> tail_ = 0;
  std::atomic<Slots*> slots_ = nullptr;
  std::vector<std::unique_ptr<Slots>> kept_;  // the owner's
};

}  // namespace tasks
