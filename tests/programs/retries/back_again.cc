// An exchange that would fail succeeds where the value has come back by then. The thread that stops
// at the failure does not hide it.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --reduce dpor --retries last %t
// EXIT: 1
// OUT: assertion
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> value, moved;

static void take() {
  int seen = value.load();
  int then = moved.load();
  while (!value.compare_exchange_strong(seen, 9)) then = moved.load();
  assert(moved.load() < then + 2);  // nobody was here meanwhile
}

static void move() {
  ++moved;
  value.store(1);
  ++moved;
  value.store(0);
}

int main() {
  std::thread first(take), second(move);
  first.join();
  second.join();
  return 0;
}
