// Two threads hold what the other one waits for; main waits for the end of one of them, and is in
// no cycle.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: T1 and T2 wait for each other: T1 holds a and waits for b, T2 holds b and waits for a; 1 other thread waits
// JSON: j["failures"][0]["preemptions"] == 1
#include <mutex>
#include <thread>

std::mutex a;
std::mutex b;

int main() {
  std::thread first([] {
    std::lock_guard holds_a(a);
    std::lock_guard holds_b(b);
  });
  std::thread second([] {
    std::lock_guard holds_b(b);
    std::lock_guard holds_a(a);
  });
  first.join();
  second.join();
}
