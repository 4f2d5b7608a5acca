// By default sleepers wake in the order of their deadlines; the search tries the other orders too.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --executions 1 --json %t.json %t
// JSON: j["failures"] == []
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "assertion"
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>
std::atomic<int> order;
int main() {
  std::thread slow([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    assert(order.fetch_add(1) == 1);
  });
  std::thread quick([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    assert(order.fetch_add(1) == 0);
  });
  slow.join();
  quick.join();
}
