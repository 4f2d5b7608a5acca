// The mutexes of the standard library, each with all outcomes that an attempt can have beside a
// thread that locks and unlocks.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for mode in timed recursive_timed shared_timed both try; do %t $mode; done
// An attempt with a time limit waits for the other, or times out.
// RUN: %heddle run --preemptions none --json %t.json --show-output %t timed > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^lock' | tr '\n' ';'
// OUT: ^lock for got;lock for timed out;$
// RUN: %heddle run --preemptions none --json %t.json --show-output %t recursive_timed > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^lock' | tr '\n' ';'
// OUT: ^lock until got;lock until timed out;$
// Readers share: the attempt to read fails only beside the writer. So of 2 attempts the second
// cannot fail if the writer came before the first, and both get it if it came after them.
// RUN: %heddle run --preemptions 3 --json %t.json --show-output %t shared_timed > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^lock' | tr '\n' ';'
// OUT: ^lock shared got got;lock shared got timed out;lock shared timed out got;lock shared timed out timed out;$
// Locks of both mutexes in opposite orders: no deadlock.
// RUN: %heddle run --preemptions 3 --json %t.json %t both
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions none --json %t.json --show-output %t try > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^try' | tr '\n' ';'
// OUT: ^try failed;try got;$
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
using namespace std::chrono_literals;

int value;  // guarded by the mutex of the mode

void say(const std::string& line) {
  std::string ended = line + "\n";
  assert(write(1, ended.data(), ended.size()) > 0);
}

template <typename Mutex>
std::thread locking(Mutex& mutex) {
  return std::thread([&] {
    std::lock_guard guard(mutex);
    ++value;
  });
}

void timed() {
  std::timed_mutex mutex;
  std::thread other = locking(mutex);
  if (mutex.try_lock_for(1h)) {
    ++value;
    mutex.unlock();
    say("lock for got");
  } else {
    say("lock for timed out");
  }
  other.join();
}

void recursive_timed() {
  std::recursive_timed_mutex mutex;
  std::thread other = locking(mutex);
  if (mutex.try_lock_until(std::chrono::steady_clock::now() + 1h)) {
    assert(mutex.try_lock());
    mutex.lock();
    ++value;
    for (int i = 0; i < 3; ++i) mutex.unlock();
    say("lock until got");
  } else {
    say("lock until timed out");
  }
  other.join();
}

void shared_timed() {
  std::shared_timed_mutex mutex;
  std::thread other = locking(mutex);
  std::string line = "lock shared";
  for (int i = 0; i < 2; ++i) {
    std::shared_lock guard(mutex, 1s);
    if (guard) assert(value == 0 || value == 1);
    line += guard ? " got" : " timed out";
  }
  say(line);
  other.join();
}

void both() {
  std::mutex a;
  std::recursive_mutex b;
  std::thread other([&] {
    std::scoped_lock guard(a, b);
    ++value;
  });
  std::lock(b, a);
  b.lock();
  ++value;
  b.unlock();
  a.unlock();
  b.unlock();
  other.join();
  assert(value == 2);
}

void attempt() {
  std::mutex mutex;
  std::thread other = locking(mutex);
  std::unique_lock guard(mutex, std::try_to_lock);
  if (guard) ++value;
  say(guard ? "try got" : "try failed");
  if (guard) guard.unlock();
  other.join();
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "timed") == 0) timed();
  if (std::strcmp(arguments[1], "recursive_timed") == 0) recursive_timed();
  if (std::strcmp(arguments[1], "shared_timed") == 0) shared_timed();
  if (std::strcmp(arguments[1], "both") == 0) both();
  if (std::strcmp(arguments[1], "try") == 0) attempt();
}
