// The queue of Cilk's THE protocol (Frigo, Leiserson, Randall 1998, figure 4): its owner pushes and
// pops at the tail, and takes the lock only when a thief may be after the same item; thieves steal
// at the head, under the lock. Three bugs can be compiled into it, with -DBUG=N.
#pragma once

#include <atomic>
#include <mutex>

#include "places.h"

#ifndef BUG
#define BUG 0
#endif

constexpr int kNothing = 0;

class Queue {
 public:
  // `place` and those that follow are the owner's places: one for push, eight for pop.
  void push(int place, int item) {
    items_[tail_] = item;
    at(place), move_tail(1);
  }

  int pop(int place) {
    if (BUG == 1) {  // looks for thieves before they can know of it
      at(place + 1);
      int head = head_.load();
      at(place), move_tail(-1);
      if (head <= tail_) return items_[tail_];
    } else {
      at(place), move_tail(-1);
      at(place + 1);
      if (head_.load() <= tail_) return items_[tail_];
    }
    at(place + 2), move_tail(1);
    at(place + 3), lock_.lock();
    at(place + 4), move_tail(-1);
    at(place + 5);
    bool taken = BUG == 2 ? head_.load() > tail_ + 1 : head_.load() > tail_;  // bug 2: one too far
    if (taken) at(place + 6), move_tail(1);
    at(place + 7), lock_.unlock();
    return taken ? kNothing : items_[tail_];
  }

  // A thief's places: place to place + 4.
  int steal(int place) {
    at(place), lock_.lock();
    at(place + 1);
    int head = head_.fetch_add(1);
    at(place + 2);
    int item = kNothing;
    if (head + 1 <= shared_tail_.load()) {
      item = items_[head];
    } else if (BUG != 3) {
      at(place + 3), head_.fetch_sub(1);
    }
    at(place + 4), lock_.unlock();
    if (BUG == 3 && item == kNothing)
      at(place + 3), head_.fetch_sub(1);  // too late: others have seen it
    return item;
  }

  int head() const { return head_.load(); }
  int tail() const { return shared_tail_.load(); }
  int own_tail() const { return tail_; }

 private:
  void move_tail(int by) {
    shared_tail_.store(tail_ + by);
    tail_ += by;
  }

  std::mutex lock_;
  std::atomic<int> head_{0}, shared_tail_{0};
  int tail_ = 0;  // the owner's own
  int items_[4] = {};
};
