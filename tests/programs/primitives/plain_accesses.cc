// With --accesses all, plain reads and writes are operations: the lost update of a plain counter is
// found.
// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %heddle run --races ignore --accesses sync --json %t.json %t
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --races ignore --accesses all --json %t.json %t
// EXIT: 1
// OUT: counter: 0 -> 1
// JSON: j["failures"][0]["kind"] == "assertion" and j["coverage"]["accesses"] == "all"
#include <cassert>
#include <thread>
int counter;
int main() {
  std::thread other([] { ++counter; });
  ++counter;
  other.join();
  assert(counter == 2);
}
