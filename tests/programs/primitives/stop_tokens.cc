// Threads that are asked to stop: jthread, stop_token, stop_source, stop_callback, and waits of
// condition_variable_any that a request ends.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for mode in wait timed callback join; do %t $mode; done
// (The lock of a stop_source is a loop that yields: only the first steps are varied.)
// The destructor of the jthread asks the waiter to stop, and wakes it, wherever it stands.
// RUN: %heddle run --preemptions 2 --depth 30 --json %t.json %t wait
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions 2 --depth 30 --json %t.json --show-output %t timed > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^wait' | tr '\n' ';'
// OUT: ^wait stopped;wait timed out;$
// The callback runs in the thread that asks, or, if that came first, in the one that registers it;
// or not at all, if it was gone by then.
// RUN: %heddle run --preemptions 2 --depth 30 --json %t.json --show-output %t callback > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^callback' | tr '\n' ';'
// OUT: ^callback in asker;callback in none;callback in registrar;$
// RUN: %heddle run --preemptions 2 --json %t.json %t join
// JSON: j["verdict"] == "passed"
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <stop_token>
#include <thread>

void say(const char* line) { assert(write(1, line, std::strlen(line)) > 0); }

void wait() {
  std::mutex mutex;
  std::condition_variable_any condition;
  bool ended = false;
  {
    std::jthread waiter([&](std::stop_token token) {
      std::unique_lock lock(mutex);
      assert(!condition.wait(lock, token, [] { return false; }));
      assert(token.stop_requested());
      ended = true;
    });
  }
  assert(ended);
}

void timed() {
  std::mutex mutex;
  std::condition_variable_any condition;
  std::jthread waiter([&](std::stop_token token) {
    std::unique_lock lock(mutex);
    assert(!condition.wait_for(lock, token, std::chrono::hours(1), [] { return false; }));
    say(token.stop_requested() ? "wait stopped\n" : "wait timed out\n");
  });
}

void callback() {
  std::stop_source source;
  std::thread::id asker, runner;
  std::thread other([&] {
    asker = std::this_thread::get_id();
    assert(source.request_stop() && !source.request_stop());
  });
  {
    std::stop_callback call(source.get_token(), [&] { runner = std::this_thread::get_id(); });
  }
  other.join();
  if (runner == std::thread::id()) say("callback in none\n");
  if (runner == asker) say("callback in asker\n");
  if (runner == std::this_thread::get_id()) say("callback in registrar\n");
}

void join() {
  std::atomic<int> count = 0;
  std::jthread first([&] { ++count; });
  std::jthread second([&] { ++count; });
  assert(first.get_stop_source().stop_possible() && first.joinable());
  first.join();
  first = std::move(second);
  assert(!second.joinable());
  first = std::jthread();
  assert(count == 2);
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "wait") == 0) wait();
  if (std::strcmp(arguments[1], "timed") == 0) timed();
  if (std::strcmp(arguments[1], "callback") == 0) callback();
  if (std::strcmp(arguments[1], "join") == 0) join();
}
