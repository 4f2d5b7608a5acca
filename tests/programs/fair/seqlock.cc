// The reader of a seqlock reads again while a writer is at it, or has been. It spins while the
// sequence is odd.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
#include <heddle/heddle.h>

#include <atomic>
#include <thread>
std::atomic<unsigned> sequence;
std::atomic<int> left, right;
void publish(int value) {
  sequence.fetch_add(1);
  left.store(value, std::memory_order_relaxed);
  right.store(value, std::memory_order_relaxed);
  sequence.fetch_add(1);
}
int main() {
  std::thread writer(publish, 1);
  unsigned before;
  int a, b;
  do {
    before = sequence.load();
    a = left.load(std::memory_order_relaxed);
    b = right.load(std::memory_order_relaxed);
  } while (before % 2 == 1 || sequence.load() != before);
  HEDDLE_ASSERT(a == b);
  writer.join();
}
