// A semaphore, modelled within the program's own sem_t: glibc keeps the value in the first 32 bits,
// and so do we.
#pragma once

#include <limits.h>
#include <semaphore.h>

#include "runtime/sync/waiting.h"

namespace heddle::runtime {

class Semaphore {
 public:
  explicit Semaphore(sem_t* semaphore) : value_(reinterpret_cast<uint32_t*>(semaphore)) {}
  explicit Semaphore(uint64_t object) : value_(reinterpret_cast<uint32_t*>(object)) {}

  uint64_t object() const { return reinterpret_cast<uint64_t>(value_); }
  uint32_t value() const { return *value_; }
  static bool can_wait(uint64_t object) { return Semaphore(object).value() > 0; }

  void take() {
    order_acquire(object());
    --*value_;
    if (*value_ == 0) refresh(object());
  }
  // False: the value cannot grow any more.
  bool post() {
    if (*value_ == SEM_VALUE_MAX) return false;
    order_release(object());
    if (++*value_ == 1) refresh(object());
    return true;
  }

 private:
  uint32_t* value_;
};

}  // namespace heddle::runtime
