// A loop that counts its rounds: a round leaves something behind, and is not left out. Only the
// thread that had to retry twice makes the assertion fail: its exchange is the last of three, and
// it has seen both values before.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json --strategy dfs --reduce dpor --retries last %t
// EXIT: 1
// OUT: assertion
// JSON: j["verdict"] == "failed" and j["failures"][0]["kind"] == "assertion"
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> counter;

static void add() {
  int rounds = 1;
  int seen = counter.load();
  while (!counter.compare_exchange_strong(seen, seen + 1)) ++rounds;
  assert(rounds < 3);
}

int main() {
  std::thread first(add), second(add), third(add);
  first.join();
  second.join();
  third.join();
  return 0;
}
