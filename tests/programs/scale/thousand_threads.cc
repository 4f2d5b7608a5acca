// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --executions 20 --json %t.json %t
// JSON: j["executions"] == 20 and j["threads"] == 1001 and j["failures"] == []
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>
std::atomic<int> count;
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 1000; ++i) threads.emplace_back([] { ++count; });
  for (std::thread& thread : threads) thread.join();
  assert(count == 1000);
}
