// call_once and function statics: once in every schedule, again after an exception, and all wait
// for the one.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --preemptions 2 --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 10
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>
std::once_flag flag;
std::atomic<int> tries, value;
void initialise() {
  if (tries.fetch_add(1) == 0) throw std::runtime_error("first");
  value.store(1);
}
void use() {
  try {
    std::call_once(flag, initialise);
  } catch (const std::runtime_error&) {
    std::call_once(flag, initialise);
  }
  assert(value.load() == 1 && tries.load() == 2);
}
int main() {
  std::thread other(use);
  use();
  other.join();
}
