// Cancellation in C++: the stack is unwound, so destructors and clean-up handlers run in their
// order, and catch (...) sees it and throws it on.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 1
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::string left;  // under the mutex, or by the joined

struct Note {
  char letter;
  ~Note() { left += letter; }
};

void handler(void*) { left += 'h'; }

void wait() {
  Note outer{'o'};
  std::unique_lock lock(mutex);  // its destructor unlocks: the wait has it back by then
  Note inner{'i'};
  pthread_cleanup_push(handler, nullptr);
  try {
    for (;;) changed.wait(lock);
  } catch (...) {
    left += 'c';
    throw;
  }
  pthread_cleanup_pop(0);
}

int main() {
  std::thread thread(wait);
  assert(pthread_cancel(thread.native_handle()) == 0);
  thread.join();
  assert(left == "chio");

  std::thread sleeper([] {
    Note note{'s'};
    std::this_thread::sleep_for(std::chrono::hours(1));
    pthread_cancel(pthread_self());
    pthread_testcancel();
    left += '?';
  });
  pthread_cancel(sleeper.native_handle());
  sleeper.join();
  assert(left == "chios");
}
