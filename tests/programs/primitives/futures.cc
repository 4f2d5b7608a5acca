// Results, and exceptions, that cross threads: promise, future, shared_future, packaged_task,
// async.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for mode in value exception shared task async timed; do %t $mode; done
// RUN: %heddle run --preemptions 2 --json %t.json %t value
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions 2 --json %t.json %t exception
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions 2 --json %t.json %t shared
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions 2 --json %t.json %t task
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions 2 --json %t.json %t async
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions 2 --json %t.json --show-output %t timed > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^future' | tr '\n' ';'
// OUT: ^future ready;future timed out;$
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <cstring>
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>

void say(const char* line) { assert(write(1, line, std::strlen(line)) > 0); }

void value() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  int beside = 0;
  std::thread other([&] {
    beside = 1;
    promise.set_value(7);
  });
  assert(future.get() == 7 && beside == 1 && !future.valid());
  other.join();
}

void exception() {
  std::promise<void> promise;
  std::exception_ptr caught;
  std::thread other([&] {
    try {
      throw std::runtime_error("thrown");
    } catch (...) {
      caught = std::current_exception();
      promise.set_exception(caught);
    }
  });
  try {
    promise.get_future().get();
    assert(false);
  } catch (const std::runtime_error& error) {
    assert(std::strcmp(error.what(), "thrown") == 0);
  }
  other.join();
  try {
    std::rethrow_exception(caught);
  } catch (const std::exception& error) {
    assert(std::strcmp(error.what(), "thrown") == 0);
  }
}

void shared() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  std::thread other([future] { assert(future.get() == 3); });
  promise.set_value(3);
  assert(future.get() == 3);
  other.join();
}

// The promise that is given up is an exception to the one who waits.
void task() {
  std::packaged_task<int(int)> doubled([](int x) { return 2 * x; });
  std::packaged_task<int(int)> never([](int x) { return x; });
  std::future<int> result = doubled.get_future(), nothing = never.get_future();
  std::thread other(
      [doubled = std::move(doubled), never = std::move(never)]() mutable { doubled(4); });
  assert(result.get() == 8);
  other.join();
  try {
    nothing.get();
    assert(false);
  } catch (const std::future_error& error) {
    assert(error.code() == std::future_errc::broken_promise);
  }
}

void async() {
  std::future<int> mine = std::async(std::launch::async, [] { return 5; });
  std::future<int> later = std::async(std::launch::deferred, [] { return 6; });
  std::future<void> failed = std::async(std::launch::async, [] { throw 1; });
  assert(mine.get() + later.get() == 11);
  try {
    failed.get();
    assert(false);
  } catch (int number) {
    assert(number == 1);
  }
}

void timed() {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread other([&] { promise.set_value(); });
  bool ready = future.wait_for(std::chrono::hours(1)) == std::future_status::ready;
  say(ready ? "future ready\n" : "future timed out\n");
  other.join();
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "value") == 0) value();
  if (std::strcmp(arguments[1], "exception") == 0) exception();
  if (std::strcmp(arguments[1], "shared") == 0) shared();
  if (std::strcmp(arguments[1], "task") == 0) task();
  if (std::strcmp(arguments[1], "async") == 0) async();
  if (std::strcmp(arguments[1], "timed") == 0) timed();
}
