// A mutex that Clang's thread-safety analysis knows, and its attributes.
#pragma once

#include <mutex>

#if defined(__clang__)
#define ANALYSED(attribute) __attribute__((attribute))
#else
#define ANALYSED(attribute)
#endif

class ANALYSED(capability("mutex")) Mutex {
 public:
  void lock() ANALYSED(acquire_capability()) { mutex_.lock(); }
  void unlock() ANALYSED(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class ANALYSED(scoped_lockable) Guard {
 public:
  explicit Guard(Mutex& mutex) ANALYSED(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.lock();
  }
  ~Guard() ANALYSED(release_capability()) { mutex_.unlock(); }

 private:
  Mutex& mutex_;
};
