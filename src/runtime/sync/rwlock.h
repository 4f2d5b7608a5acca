// A reader-writer lock, modelled within the program's own pthread_rwlock_t.
//
// glibc's fields, with our meaning: __readers how many hold it for reading, in its upper bits, as
// glibc counts them (in the lower ones glibc leaves marks, where the lock was used before main);
// __cur_writer who for writing (holder_mark), __writers how many wait to write, if it prefers
// writers, __flags the preference as glibc has set it, __pad3 a mark when it is destroyed: glibc's
// pthread_rwlock_init and every initialiser set it to 0. Which threads the readers are stands with
// them: Thread::reads.
#pragma once

#include <pthread.h>

#include "runtime/sync/waiting.h"

namespace heddle::runtime {

class RwLock {
 public:
  explicit RwLock(pthread_rwlock_t* lock) : data_(&lock->__data) {}
  explicit RwLock(uint64_t object) : RwLock(reinterpret_cast<pthread_rwlock_t*>(object)) {}

  bool is_destroyed() const { return data_->__pad3 == kDestroyed; }
  void destroy() { data_->__pad3 = kDestroyed; }

  uint64_t object() const { return reinterpret_cast<uint64_t>(data_); }
  uint32_t writer() const { return static_cast<uint32_t>(data_->__cur_writer); }
  bool written_by(const Thread* thread) const { return writer() == holder_mark(thread); }
  bool has_readers() const { return data_->__readers >= kReader; }
  bool is_free() const { return !has_readers() && data_->__cur_writer == 0; }
  // As many readers as glibc counts.
  bool is_full() const { return data_->__readers >= UINT32_MAX - kReader; }

  // False also of a lock for which Thread::reads had no room: see Thread::other_reads.
  bool is_read_by(const Thread* thread) const {
    return has_readers() && find(thread->reads, object()) != nullptr;
  }

  // Readers may pass waiting writers, except with the kind that says otherwise.
  bool prefers_writers() const {
    return data_->__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
  }
  // With that kind: a writer begins to wait, or waits no more.
  void begin_to_wait() {
    ++data_->__writers;
    refresh(object());
  }
  void wait_no_more() {
    --data_->__writers;
    refresh(object());
  }

  static bool can_read(uint64_t object) {
    RwLock lock(object);
    return lock.writer() == kFree && lock.data_->__writers == 0;
  }
  static bool can_write(uint64_t object) { return RwLock(object).is_free(); }

  void take_for_reading(Thread* thread) {
    order_acquire(object());
    data_->__readers += kReader;
    note_read(thread);
    refresh(object());
  }
  void take_for_writing(const Thread* thread) {
    order_acquire(object());
    order_acquire(readers());
    data_->__cur_writer = static_cast<int>(holder_mark(thread));
    refresh(object());
  }
  void release(Thread* thread) {
    if (data_->__cur_writer != 0) {
      order_release(object());
      data_->__cur_writer = 0;
    } else {
      order_release(readers());
      data_->__readers -= kReader;
      forget_read(thread);
    }
    refresh(object());
  }

 private:
  // What readers did happens before the next writer, not before other readers: an object of its
  // own.
  uint64_t readers() const { return object() + 1; }

  static constexpr uint32_t kReader = 8;
  static constexpr uint32_t kDestroyed = 0x64656164;  // "dead"

  template <typename R>
  static R* find(R (&reads)[kReads], uint64_t object) {
    for (R& read : reads) {
      if (read.object == object && read.times != 0) return &read;
    }
    return nullptr;
  }

  void note_read(Thread* thread) const {
    Read* read = find(thread->reads, object());
    for (Read& place : thread->reads) {
      if (read == nullptr && place.times == 0) read = &place;
    }
    if (read == nullptr) {
      ++thread->other_reads;
      return;
    }
    thread->has_reads = true;
    read->object = object();
    ++read->times;
  }
  void forget_read(Thread* thread) const {
    if (Read* read = find(thread->reads, object())) {
      --read->times;
    } else {
      --thread->other_reads;
    }
  }

  decltype(&static_cast<pthread_rwlock_t*>(nullptr)->__data) data_;
};

}  // namespace heddle::runtime
