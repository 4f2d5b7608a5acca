// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --json %t.json --out %t.out %t
// EXIT: 1
// OUT: deadlock
// OUT: T1.*wait.*fork.*T2.*philosophers.cc:21
// OUT: heddle replay .*philosophers-1.heddle
// JSON: j["verdict"] == "failed" and j["failures"][0]["kind"] == "deadlock"
// JSON: j["failures"][0]["location"] == "philosophers.cc:21" and j["threads"] == 4
// RUN: %heddle replay --times 100 %t.out/*-1.heddle
// EXIT: 1
// OUT: deadlock
#include <mutex>
#include <thread>

std::mutex forks[3];

void philosopher(int seat) {
  std::lock_guard left(forks[seat]);
  std::lock_guard right(forks[(seat + 1) % 3]);
}

int main() {
  std::thread a(philosopher, 0), b(philosopher, 1), c(philosopher, 2);
  a.join();
  b.join();
  c.join();
}
