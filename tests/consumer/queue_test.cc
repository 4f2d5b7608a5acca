// A user's test: finds the lost update of an unlocked counter, and none in the locked one.
#include <heddle/heddle.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

void unlocked() {
  std::atomic<int> counter{0};
  auto increment = [&] { counter.store(counter.load() + 1); };
  std::thread other(increment);
  increment();
  other.join();
  HEDDLE_ASSERT(counter.load() == 2);
}

void locked() {
  std::mutex mutex;
  int counter = 0;
  auto increment = [&] {
    std::lock_guard<std::mutex> guard(mutex);
    ++counter;
  };
  std::thread other(increment);
  increment();
  other.join();
  HEDDLE_ASSERT(counter == 2);
}

}  // namespace

int main() {
  const auto options = heddle::Options{}.preemptions(2);
  const heddle::Report bad = heddle::check(unlocked, options);
  const heddle::Report good = heddle::check(locked, options);
  std::printf("unlocked %d locked %d\n", bad.exit_code(), good.exit_code());
  if (bad.ok() || bad.exit_code() != 1) std::fputs(bad.text().c_str(), stderr);
  if (!good.ok()) std::fputs(good.text().c_str(), stderr);
  return !bad.ok() && good.ok() ? 0 : 1;
}
