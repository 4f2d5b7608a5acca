// What rendered model programs share (see render.py): their objects, helpers for operations that
// C++ does not give exactly, and the line with the final values. Included once, by the generated
// source only.
#pragma once

#include <errno.h>
#include <heddle/heddle.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace oracle {

constexpr int kThreads = 5, kObjects = 4, kResults = 12;  // as in model.py
constexpr int kNoResult = -1000;

std::thread* threads;  // never destroyed: a program may end without joining them
std::mutex mutexes[kObjects];
std::recursive_mutex recursives[kObjects];
// Never destroyed: that would be an operation, of which the model knows nothing.
std::condition_variable* conditions = new std::condition_variable[kObjects];
std::atomic<int> variables[kObjects];
std::once_flag onces[kObjects];
pthread_mutex_t checked[kObjects];
pthread_spinlock_t spins[kObjects];
pthread_rwlock_t rwlocks[kObjects];
sem_t semaphores[kObjects];
pthread_barrier_t barriers[kObjects];
int results[kThreads][kResults];
std::array<signed char, kThreads> places;  // of each thread, in programs that declare their states
int result_counts[kThreads];

constexpr timespec kSecond{1, 0};

// The moment a second from now, by the monotonic clock, for the duration of an expression.
class InASecond {
 public:
  InASecond() {
    clock_gettime(CLOCK_MONOTONIC, &moment_);
    ++moment_.tv_sec;
  }
  operator const timespec*() const { return &moment_; }

 private:
  timespec moment_;
};

template <typename Mutex>
inline int timed_lock(Mutex& mutex) {
  return pthread_mutex_clocklock(mutex.native_handle(), CLOCK_MONOTONIC, InASecond()) == 0;
}

inline int timed_join(std::thread& thread) {
  return pthread_clockjoin_np(thread.native_handle(), nullptr, CLOCK_MONOTONIC, InASecond()) == 0;
}

inline int value_of(sem_t& semaphore) {
  int value;
  sem_getvalue(&semaphore, &value);
  return value;
}

// As model.py: 1 woken, 0 the value is another, 2 timed out.
inline int futex_wait(std::atomic<int>& variable, int value, const timespec* limit) {
  if (syscall(SYS_futex, &variable, FUTEX_WAIT_PRIVATE, value, limit) == 0) return 1;
  return errno == ETIMEDOUT ? 2 : 0;
}

inline int futex_wake(std::atomic<int>& variable, int count) {
  return static_cast<int>(syscall(SYS_futex, &variable, FUTEX_WAKE_PRIVATE, count));
}

inline void wait(std::condition_variable& condition, std::mutex& mutex) {
  std::unique_lock lock(mutex, std::adopt_lock);
  condition.wait(lock);
  lock.release();
}

// Not wait_for: that tells from the clock whether it timed out, and the clock moves with other
// threads' time-outs.
inline int timed_wait(std::condition_variable& condition, std::mutex& mutex) {
  return pthread_cond_clockwait(condition.native_handle(), mutex.native_handle(), CLOCK_MONOTONIC,
                                InASecond()) == 0;
}

inline int compare_exchange(std::atomic<int>& variable, int expected, int desired) {
  return variable.compare_exchange_strong(expected, desired) ? 1 : 0;
}

template <int N>
__attribute__((noinline)) int enter_static() {
  static int old = variables[N].fetch_add(1);
  return old;
}

// None of this is an operation.
inline void make_objects() {
  threads = new std::thread[kThreads];
  pthread_mutexattr_t checking;
  pthread_mutexattr_init(&checking);
  pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
  pthread_rwlockattr_t preference[2];  // readers first, writers first
  for (pthread_rwlockattr_t& attributes : preference) pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&preference[1], PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  for (int i = 0; i < kObjects; ++i) {
    pthread_mutex_init(&checked[i], &checking);
    pthread_spin_init(&spins[i], PTHREAD_PROCESS_PRIVATE);
    pthread_rwlock_init(&rwlocks[i], &preference[i >= 2]);
    sem_init(&semaphores[i], 0, 0);
    pthread_barrier_init(&barriers[i], nullptr, static_cast<unsigned>(i) + 1);
  }
}

inline void begin(std::initializer_list<int> counts) {
  make_objects();
  int thread = 0;
  for (int count : counts) {
    result_counts[thread] = count;
    for (int i = 0; i < count; ++i) results[thread][i] = kNoResult;
    ++thread;
  }
  while (thread < kThreads) result_counts[thread++] = -1;
}

// Where each thread stands, and the variables, which are small numbers.
inline void declare_states() {
  heddle::state([] {
    std::array<signed char, kThreads + kObjects> all;
    auto out = std::copy(places.begin(), places.end(), all.begin());
    for (const std::atomic<int>& variable : variables) *out++ = static_cast<signed char>(variable);
    return all;
  });
}

class Line {
 public:
  Line& operator<<(const char* text) {
    length_ += std::strlen(std::strncpy(text_ + length_, text, sizeof text_ - length_ - 1));
    return *this;
  }
  Line& operator<<(int number) {
    char digits[12];
    std::snprintf(digits, sizeof digits, "%d", number);
    return *this << digits;
  }
  void write_out() const {
    if (write(STDOUT_FILENO, text_, length_) != static_cast<ssize_t>(length_)) std::abort();
  }

 private:
  char text_[512] = {};
  size_t length_ = 0;
};

// One write for the line, and no operation: the variables are read as plain memory.
inline void print_final_values() {
  Line line;
  line << "final";
  for (const std::atomic<int>& variable : variables) {
    int value;
    std::memcpy(&value, static_cast<const void*>(&variable), sizeof value);
    line << " " << value;
  }
  for (int t = 0; t < kThreads && result_counts[t] >= 0; ++t) {
    line << " |";
    for (int i = 0; i < result_counts[t]; ++i) {
      line << " ";
      if (results[t][i] == kNoResult) {
        line << "-";
      } else {
        line << results[t][i];
      }
    }
  }
  line << "\n";
  line.write_out();
}

}  // namespace oracle
