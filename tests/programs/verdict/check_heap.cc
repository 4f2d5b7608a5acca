// A mistake this guards against: heddle::check took objects that the test makes on the heap for
// different ones in different workers, or in the first execution and later ones, and said that the
// test is not repeatable.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py --check auto,dfs,dpor 'verdict == "passed" and j["exit_code"] == 0' %heddle -- %t atomics,mutex,condition,semaphore,large global,local,caller kept,deleted
// RUN: python3 %S/inputs/searches.py --check variants,orders 'verdict == "passed" and j["exit_code"] == 0' %heddle -- %t atomics,mutex global kept
// The caller's own heap is not touched: it allocates, checks, allocates and checks once more, and
// gets the same number of executions.
// RUN: %t again
// OUT: ^passed after ([0-9]+) executions, then passed after \1$
#include <semaphore.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "inputs/subject.h"

struct Atomics {
  std::array<std::atomic<int>, 3> numbers{};
  void use() {
    numbers[0].store(1);
    numbers[2].load();
  }
};
struct Mutex {
  std::mutex mutex;
  int sum = 0;
  void use() {
    std::lock_guard lock(mutex);
    ++sum;
  }
};
struct Condition {
  std::mutex mutex;
  std::condition_variable arrived;
  int here = 0;
  void use() {
    std::unique_lock lock(mutex);
    if (++here == 2) arrived.notify_all();
    arrived.wait(lock, [&] { return here == 2; });
  }
};
struct Semaphore {
  sem_t semaphore;
  Semaphore() { sem_init(&semaphore, 0, 1); }
  void use() {
    sem_wait(&semaphore);
    sem_post(&semaphore);
  }
};
// Larger than what malloc takes from its small bins.
struct Large {
  std::array<std::atomic<int>, 50'000> numbers{};
  void use() {
    numbers[40'000].fetch_add(1);
    numbers[1].load();
  }
};

template <typename T>
struct Test {
  static inline T* shared;
  static inline T* callers;

  static void run(const std::string& where, bool deleted) {
    T* made = where == "caller" ? callers : new T;
    if (where == "global") shared = made;
    std::thread other([made] { made->use(); });
    if (where == "global") {
      shared->use();
    } else {
      made->use();
    }
    other.join();
    if (deleted && where != "caller") delete made;
  }

  static heddle::Report check(const Words& words) {
    callers = new T;
    bool deleted = words[2] == "deleted";
    return heddle::check([&] { run(words[1], deleted); });
  }
};

std::string told(const heddle::Report& report) {
  return (report.ok() ? "passed after " : "failed after ") + std::to_string(report.executions());
}

int main(int argc, char** argv) {
  Words words(argv + 1, argv + argc);
  if (words[0] == "again") {
    Words mutex = {"mutex", "global", "kept"};
    std::string first = told(Test<Mutex>::check(mutex));
    std::vector<std::string> more(1000, std::string(100, 'x'));
    std::string second = told(Test<Mutex>::check(mutex));
    std::printf("%s executions, then %s\n", first.c_str(), second.c_str());
    return 0;
  }
  words.erase(words.begin());  // check
  if (words[0] == "atomics") return Test<Atomics>::check(words).exit_code();
  if (words[0] == "mutex") return Test<Mutex>::check(words).exit_code();
  if (words[0] == "condition") return Test<Condition>::check(words).exit_code();
  if (words[0] == "semaphore") return Test<Semaphore>::check(words).exit_code();
  if (words[0] == "large") return Test<Large>::check(words).exit_code();
  return 2;
}
