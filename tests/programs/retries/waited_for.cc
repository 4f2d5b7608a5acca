// A mistake this guards against: who waits for a thread that has stopped, and counts meanwhile, so
// that it is not seen to be in the same state again, did so for five million steps; the search was
// told to be incomplete. It stands back behind the one that has stopped, as the fair scheduler has
// it, and the execution ends there.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json --executions 200 --strategy dfs --reduce dpor --retries last %t
// JSON: j["verdict"] == "incomplete" and j["max_steps"] < 1000 and j["pruned"] > 20
#include <atomic>
#include <thread>

static std::atomic<int> counter, done;

static void add() {
  int seen = counter.load();
  while (!counter.compare_exchange_strong(seen, seen + 1)) {
  }
  ++done;
}

int main() {
  std::thread first(add), second(add);
  std::thread waits([] {
    long count = 0;
    while (done.load() != 2) ++count;
    __asm__ volatile("" : : "r"(count));
  });
  first.join();
  second.join();
  waits.join();
  return 0;
}
