// Three threads that each add one to a counter in a retry loop. Of an execution the order of the
// three exchanges that succeed matters, 3! = 6. A thread whose exchange comes after p others may
// have loaded after any k of them, and failed at any of those between: it has seen any subset of
// the p values before its own, 2^p. So with all retries there are 6 * 1 * 2 * 4 = 48 classes, and
// of the last round of each thread alone 6.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json --strategy dfs --reduce dpor --retries last %t
// OUT: of retry loops the last round alone
// JSON: j["verdict"] == "passed" and j["distinct"] == 6 and j["executions"] < 48 and j["coverage"]["retries"] == "last"
// RUN: %heddle run --json %t.json --strategy dfs --reduce dpor %t
// NOT: --retries
// JSON: j["verdict"] == "passed" and j["distinct"] == 48 and j["coverage"]["retries"] == "all"
// RUN: %heddle run --strategy dfs --reduce dpor --retries last --jobs 2 %t
// OUT: passed
#include <atomic>
#include <thread>

static std::atomic<int> counter;

static void add() {
  int seen = counter.load();
  while (!counter.compare_exchange_strong(seen, seen + 1)) {
  }
}

int main() {
  std::thread first(add), second(add), third(add);
  first.join();
  second.join();
  third.join();
  return 0;
}
