// The shape of most stress tests: workers go round until somebody sets a flag. None of these loops
// yields, and under every fair scheduler each comes to its end. A mistake this guards against: they
// were told as livelocks, or as good-samaritan violations, and the search ended with a failure.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for kind in sleep progress work two reader; do for search in "" "--strategy dfs" "--strategy random" "--strategy dfs --reduce dpor" "--preemptions 1" "--yield-after 50" "--yield-after 3 --strategy dfs"; do %heddle run --quiet $search --executions 30 --seconds 5 --json %t.json %t $kind; python3 -c 'import json, sys; j = json.load(open(sys.argv[1])); assert j["verdict"] in ("passed", "incomplete") and not j["failures"], (sys.argv, j)' %t.json $kind "$search"; done; done
// A warning tells of it, and the coverage says what it was bounded by.
// RUN: %heddle run --strategy dfs --executions 6 --json %t.json %t sleep
// OUT: warning: good-samaritan at .*stop_flags.cc:\d+: a thread made 10000 steps without a yield
// JSON: j["coverage"]["yield_after"] == 10000 and [w["kind"] for w in j["warnings"]] == ["good-samaritan"]
// RUN: %heddle run --strategy dfs --good-samaritan off --executions 6 --json %t.json %t sleep
// NOT: good-samaritan
// JSON: j["executions"] == 6 and j["verdict"] in ("passed", "incomplete") and not j["warnings"]
// RUN: %heddle run --strategy dfs --good-samaritan error --executions 6 --json %t.json %t sleep
// EXIT: 1
// JSON: [f["kind"] for f in j["failures"]] == ["good-samaritan"]
// Short turns: the whole search comes to its end.
// RUN: %heddle run --strategy dfs --yield-after 6 --preemptions 1 --json %t.json %t work
// JSON: j["verdict"] == "passed" and j["coverage"]["yield_after"] == 6
#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

std::atomic<bool> stop;
std::atomic<int> progress;
std::mutex mutex;
std::shared_mutex shared;
long n;

void write_on() {
  while (!stop.load()) {
    std::lock_guard lock(mutex);
    ++n;
    progress.fetch_add(1);
  }
}

void read_on() {
  while (!stop.load()) {
    std::shared_lock lock(shared);
    progress.store(static_cast<int>(n));
  }
}

int main(int, char** argv) {
  std::string kind = argv[1];
  std::thread worker(kind == "reader" ? read_on : write_on);
  std::thread another([&] {
    if (kind == "two") write_on();
  });
  if (kind == "sleep") {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  } else if (kind == "progress") {
    while (progress.load() < 3) std::this_thread::yield();
  } else if (kind == "work" || kind == "two") {
    std::lock_guard lock(mutex);
    ++n;
  } else {
    std::unique_lock lock(shared);
    ++n;
  }
  stop.store(true);
  worker.join();
  another.join();
}
