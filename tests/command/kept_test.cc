// A test that heddle::check runs: two threads increase a number, unless FIXED says that they lock
// it. With MORE, there is an operation more before the threads begin.
#include <heddle/heddle.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

static void test() {
  std::atomic<int> number{0};
  std::mutex mutex;
  auto increase = [&] {
#ifdef FIXED
    std::lock_guard lock(mutex);
#endif
    int seen = number.load();
    number.store(seen + 1);
  };
  std::thread first(increase);
  std::thread second(increase);
  first.join();
  second.join();
  HEDDLE_ASSERT(number.load() == 2);
}

#ifndef KEPT
int main() {
  heddle::Report report = heddle::check(test, heddle::Options{}.out("schedules"));
  fputs(report.text().c_str(), stdout);
  return report.exit_code();
}
#endif
