// A semaphore, modelled within the program's own sem_t: glibc keeps the value in the first 32 bits,
// and so do we. Behind glibc's 16 bytes stands a mark when it is destroyed, or closed by its last
// user; sem_init takes it away.
#pragma once

#include <limits.h>
#include <semaphore.h>

#include "runtime/sync/waiting.h"

namespace heddle::runtime {

class Semaphore {
 public:
  explicit Semaphore(sem_t* semaphore) : value_(reinterpret_cast<uint32_t*>(semaphore)) {}
  explicit Semaphore(uint64_t object) : value_(reinterpret_cast<uint32_t*>(object)) {}

  bool is_destroyed() const { return value_[kMarkWord] == kDestroyed; }
  void destroy() { value_[kMarkWord] = kDestroyed; }
  void revive() { value_[kMarkWord] = 0; }

  uint64_t object() const { return reinterpret_cast<uint64_t>(value_); }
  uint32_t value() const { return *value_; }
  // A destroyed one holds nobody back: whoever waits for it goes on to be told so.
  static bool can_wait(uint64_t object) {
    return Semaphore(object).value() > 0 || Semaphore(object).is_destroyed();
  }

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
  static constexpr uint32_t kMarkWord = 4;
  static constexpr uint32_t kDestroyed = 0x64656164;  // "dead"
  static_assert(sizeof(sem_t) > kMarkWord * sizeof(uint32_t));

  uint32_t* value_;
};

}  // namespace heddle::runtime
