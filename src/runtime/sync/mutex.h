// A mutex, modelled within the program's own pthread_mutex_t, so that the snapshot and the
// program's own copying, zeroing and re-initialising work on it as ever.
//
// glibc's fields, with our meaning: __owner is who holds it (holder_mark), __count how often beyond
// the first, __nusers how many threads have a lock operation pending on it, __kind its type as
// glibc has set it, or -1 when it is destroyed, as glibc marks it too. __lock is whether it is
// held, and of a robust one what its holder's end has made of it.
#pragma once

#include <errno.h>
#include <pthread.h>

#include "runtime/detect/heap.h"
#include "runtime/detect/misuse.h"
#include "runtime/sync/robust.h"
#include "runtime/sync/waiting.h"

namespace heddle::runtime {

class Mutex {
 public:
  explicit Mutex(pthread_mutex_t* mutex) : data_(&mutex->__data) {}

  enum class Type { normal, recursive, error_checking };
  Type type() const {
    switch (data_->__kind & 3) {
      case PTHREAD_MUTEX_RECURSIVE_NP:
        return Type::recursive;
      case PTHREAD_MUTEX_ERRORCHECK_NP:
        return Type::error_checking;
      default:
        return Type::normal;  // and adaptive
    }
  }
  bool is_robust() const { return (data_->__kind & 16) != 0; }
  // An unlock by another thread than its holder is an error that it returns.
  bool tells_owner() const { return type() != Type::normal || is_robust(); }

  // Its holder ended, and whoever got it next has not said that all is well again.
  bool is_inconsistent() const { return (data_->__lock & kInconsistent) != 0; }
  void make_consistent() { data_->__lock &= ~kInconsistent; }
  // … and let go of it without: nobody gets it any more.
  bool is_lost() const { return (data_->__lock & kLost) != 0; }

  bool is_destroyed() const { return data_->__kind == kDestroyed; }
  void destroy() { data_->__kind = kDestroyed; }

  uint64_t object() const { return reinterpret_cast<uint64_t>(data_); }
  uint32_t holder() const { return static_cast<uint32_t>(data_->__owner); }
  bool is_free() const { return data_->__owner == 0; }
  bool held_by(const Thread* thread) const { return holder() == holder_mark(thread); }

  bool lock_again() {
    if (data_->__count == UINT32_MAX) return false;
    ++data_->__count;
    return true;
  }
  // True if that was the last time.
  bool unlock_once() {
    if (data_->__count == 0) return true;
    --data_->__count;
    return false;
  }

  static bool can_lock(uint64_t object) {
    return Mutex(reinterpret_cast<pthread_mutex_t*>(object)).is_free();
  }

  // A thread has a lock operation pending on it from now on, until it takes the mutex or gives up.
  void expect() { ++data_->__nusers; }
  void give_up() { --data_->__nusers; }
  // What the lock function returns: of a robust mutex it may tell of its last holder's end.
  int take(const Thread* thread) {
    HEDDLE_INVARIANT(is_free());
    --data_->__nusers;
    if (HEDDLE_UNLIKELY(is_robust())) {
      if (is_lost()) return ENOTRECOVERABLE;
      note_robust(object(), thread);
    }
    data_->__owner = static_cast<int>(holder_mark(thread));
    data_->__lock = (data_->__lock & kInconsistent) | kHeld;
    data_->__count = 0;
    order_acquire(object());
    mark_latest_step(wire::kTakes);
    if (data_->__nusers != 0) refresh(object());
    return HEDDLE_UNLIKELY(is_inconsistent()) ? EOWNERDEAD : 0;
  }

  void release() {
    if (HEDDLE_UNLIKELY(is_robust())) forget_robust(object());
    let_go(is_inconsistent() ? kLost : 0);
  }
  // Its holder ends.
  void abandon() { let_go(kInconsistent); }

 private:
  static constexpr int kDestroyed = -1;
  static constexpr int kHeld = 1;
  static constexpr int kInconsistent = 2;
  static constexpr int kLost = 4;

  void let_go(int mark) {
    order_release(object());
    data_->__owner = 0;
    data_->__lock = mark;
    if (data_->__nusers != 0) refresh(object());
  }

  decltype(&static_cast<pthread_mutex_t*>(nullptr)->__data) data_;
};

// Ends the execution if the mutex is no more.
inline void check_alive(const Mutex& mutex, uint64_t pc) {
  check_object(mutex.object(), sizeof(pthread_mutex_t), pc);
  if (HEDDLE_UNLIKELY(mutex.is_destroyed())) end_with_use_of_destroyed("mutex", mutex.object(), pc);
}

}  // namespace heddle::runtime
