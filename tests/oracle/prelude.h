// What rendered model programs share (see render.py): their objects, helpers for operations that
// C++ does not give exactly, and the line with the final values. Included once, by the generated
// source only.
#pragma once

#include <heddle/heddle.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

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
int results[kThreads][kResults];
int result_counts[kThreads];

inline timespec in_a_second() {
  timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  ++moment.tv_sec;
  return moment;
}

inline int timed_lock(std::mutex& mutex) {
  timespec limit = in_a_second();
  return pthread_mutex_clocklock(mutex.native_handle(), CLOCK_MONOTONIC, &limit) == 0 ? 1 : 0;
}

inline void wait(std::condition_variable& condition, std::mutex& mutex) {
  std::unique_lock lock(mutex, std::adopt_lock);
  condition.wait(lock);
  lock.release();
}

// Not wait_for: that tells from the clock whether it timed out, and the clock moves with other
// threads' time-outs.
inline int timed_wait(std::condition_variable& condition, std::mutex& mutex) {
  timespec limit = in_a_second();
  return pthread_cond_clockwait(condition.native_handle(), mutex.native_handle(), CLOCK_MONOTONIC,
                                &limit) == 0
             ? 1
             : 0;
}

inline int compare_exchange(std::atomic<int>& variable, int expected, int desired) {
  return variable.compare_exchange_strong(expected, desired) ? 1 : 0;
}

template <int N>
__attribute__((noinline)) int enter_static() {
  static int old = variables[N].fetch_add(1);
  return old;
}

inline void begin(std::initializer_list<int> counts) {
  threads = new std::thread[kThreads];
  int thread = 0;
  for (int count : counts) {
    result_counts[thread] = count;
    for (int i = 0; i < count; ++i) results[thread][i] = kNoResult;
    ++thread;
  }
  while (thread < kThreads) result_counts[thread++] = -1;
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
