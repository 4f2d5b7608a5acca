// Where threads meet: counting_semaphore, binary_semaphore, latch, barrier with a completion.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for mode in semaphore attempt latch barrier drop; do %t $mode; done
// RUN: %heddle run --preemptions 2 --json %t.json %t semaphore
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// A semaphore of libstdc++ 12 can lose a wake-up: a thread sees the permit, another takes it and
// gives it back, and the first one sleeps until the number changes. Newer ones do not.
// RUN: %heddle run --preemptions 2 --json %t.json %t taken
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "deadlock"
// OUT: main *waits on futex permits
// RUN: %heddle run --preemptions 2 --json %t.json --show-output %t attempt > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^attempt' | tr '\n' ';'
// OUT: ^attempt got;attempt timed out;$
// RUN: %heddle run --preemptions 2 --json %t.json %t latch
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions 2 --json %t.json %t barrier
// JSON: j["verdict"] == "passed" and j["executions"] > 10
// RUN: %heddle run --preemptions 2 --json %t.json %t drop
// JSON: j["verdict"] == "passed" and j["executions"] > 10
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <cstring>
#include <latch>
#include <semaphore>
#include <thread>

void say(const char* line) { assert(write(1, line, std::strlen(line)) > 0); }

void semaphore() {
  std::counting_semaphore<3> permits(0);
  int value = 0;
  std::thread other([&] {
    value = 1;
    permits.release(2);
  });
  permits.acquire();
  assert(value == 1);
  assert(permits.try_acquire() && !permits.try_acquire());
  other.join();
}

// At most one of the two holds the permit.
void taken() {
  std::counting_semaphore<3> permits(1);
  std::atomic<int> inside = 0;
  auto enter = [&] {
    permits.acquire();
    assert(inside.fetch_add(1) == 0);
    inside.fetch_sub(1);
    permits.release();
  };
  std::thread other(enter);
  enter();
  other.join();
}

void attempt() {
  std::binary_semaphore given(0);
  int value = 0;
  std::thread other([&] {
    value = 1;
    given.release();
  });
  bool got = given.try_acquire_for(std::chrono::hours(1));
  if (got) assert(value == 1);
  say(got ? "attempt got\n" : "attempt timed out\n");
  other.join();
}

void latch() {
  std::latch done(2);
  int first = 0, second = 0;
  std::thread other([&] {
    first = 1;
    done.count_down();
  });
  second = 2;
  done.arrive_and_wait();
  assert(first + second == 3 && done.try_wait());
  other.join();
}

// The completion runs once in each phase, after all have arrived and before any goes on.
void barrier() {
  int cells[2] = {}, sum = 0, phases = 0;
  auto complete = [&]() noexcept {
    sum = cells[0] + cells[1];
    ++phases;
  };
  std::barrier meeting(2, complete);
  auto work = [&](int index) {
    cells[index] = index + 1;
    meeting.arrive_and_wait();
    assert(sum == 3 && phases == 1);
    meeting.arrive_and_wait();
    assert(phases == 2);
  };
  std::thread other(work, 1);
  work(0);
  other.join();
}

void drop() {
  int value = 0;
  std::barrier meeting(2);
  std::thread other([&] {
    value = 1;
    meeting.arrive_and_drop();
  });
  meeting.wait(meeting.arrive());
  assert(value == 1);
  meeting.arrive_and_wait();  // alone now
  other.join();
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "semaphore") == 0) semaphore();
  if (std::strcmp(arguments[1], "taken") == 0) taken();
  if (std::strcmp(arguments[1], "attempt") == 0) attempt();
  if (std::strcmp(arguments[1], "latch") == 0) latch();
  if (std::strcmp(arguments[1], "barrier") == 0) barrier();
  if (std::strcmp(arguments[1], "drop") == 0) drop();
}
