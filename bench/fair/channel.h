// Bounded channels between the vertices of a dataflow graph, in the manner of Dryad's: buffers are
// allocated by the sender and freed by whoever uses them last; a channel belongs to both of its
// ends, and the one that lets go last frees it. A sender waits for room by yielding; a receiver
// tries twice, and then sleeps until there is something. Four bugs can be compiled into it, with
// -DBUG=N.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef BUG
#define BUG 0
#endif

struct Buffer {
  explicit Buffer(int number) : number(number) {}
  int number;
};

class Channel {
 public:
  static constexpr int kCapacity = 2;

  ~Channel() {
    while (count_ > 0) delete take();
  }

  // Takes the buffer over. False: the receiver has gone.
  bool send(Buffer* buffer) {
    while (true) {
      {
        std::lock_guard hold(lock_);
        if (closed_) break;
        if (count_ < kCapacity) {
          buffers_[count_] = buffer;
          ++count_;
          readable_.notify_one();
          return true;
        }
      }
      std::this_thread::yield();
    }
    delete buffer;
    return false;
  }

  // The next buffer, which the caller frees; null at the end.
  Buffer* receive() {
    if (count_ == 0 && !closed_) std::this_thread::yield();
    if (BUG == 2) {  // the wake-up may come between the look and the sleep
      if (count_ == 0 && !closed_) {
        std::unique_lock hold(lock_);
        readable_.wait(hold);
      }
    }
    std::unique_lock hold(lock_);
    while (BUG != 2 && count_ == 0 && !closed_) readable_.wait(hold);
    return count_ > 0 ? take() : nullptr;
  }

  // The number of the next buffer, which stays where it is; 0 if there is none yet.
  int peek() {
    std::unique_lock hold(lock_);
    Buffer* next = count_ > 0 ? buffers_[0] : nullptr;
    if (BUG == 3) hold.unlock();  // and the other end frees the buffer
    ++looks_;
    return next ? next->number : 0;
  }

  // What was sent and not received is thrown away.
  void discard() {
    std::lock_guard hold(lock_);
    while (count_ > 0) delete take();
  }

  // One end lets go of the channel; it must not touch it any more.
  void close() {
    bool last = false;
    if (BUG == 1) last = --references_ == 0;  // from here on the other end may free it
    lock_.lock();
    closed_ = true;
    if (BUG == 4)
      last = --references_ == 0;  // the fix of bug 1 by somebody who forgot the condition
    if (BUG != 4) readable_.notify_one();
    lock_.unlock();
    if (BUG == 4) readable_.notify_one();
    if (BUG != 1 && BUG != 4) last = --references_ == 0;
    if (last) delete this;
  }

 private:
  Buffer* take() {
    Buffer* first = buffers_[0];
    --count_;
    for (int i = 0; i < count_; ++i) buffers_[i] = buffers_[i + 1];
    return first;
  }

  std::mutex lock_;
  std::condition_variable readable_;
  std::atomic<int> count_{0};
  std::atomic<bool> closed_{false};
  std::atomic<int> references_{2};
  std::atomic<int> looks_{0};  // for those who watch
  Buffer* buffers_[kCapacity] = {};
};
