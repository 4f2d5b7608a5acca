// A mistake this guards against: an execution that was 20,000 steps longer than those before was
// told as one that "runs on for ever". Length alone is no proof: these loops all end, by a count.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for kind in late both yields sleeps locks stack local tries; do for search in "" "--strategy dfs --reduce dpor" "--strategy random --yield-after 50" "--strategy dfs --preemptions 1 --yield-after 3"; do %heddle run --quiet $search --executions 3 --seconds 5 --json %t.json %t $kind 30000; python3 -c 'import json, sys; j = json.load(open(sys.argv[1])); assert j["verdict"] in ("passed", "incomplete") and not j["failures"], j' %t.json; done; done
// More steps than an execution may have: it is cut, and told with what to type.
// RUN: %heddle run --executions 2 --max-steps 100000 --json %t.json %t both 1000000
// OUT: did not end within 100000 steps.*--max-steps 1000000.*--livelock-after 40000
// JSON: j["verdict"] == "incomplete" and not j["failures"]
// … and a failure only for who asks for it. (While none has ended, 201 times as many are the
// limit.)
// RUN: %heddle run --executions 2 --max-steps 100000 --livelock-after 400 --json %t.json %t yields 1000000
// EXIT: 1
// JSON: [f["kind"] for f in j["failures"]] == ["livelock"]
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

std::string kind;
long rounds;
std::atomic<long> n;
std::atomic<bool> is_late;
std::mutex mutex;
thread_local long count;

void loop() {
  if (kind == "late" && is_late.load()) return;  // short in some schedules, long in others
  volatile long on_stack = 0;
  for (long i = 0; i < rounds; ++i) {
    if (kind == "late") {
      n.fetch_add(1);
    } else if (kind == "both") {
      n.fetch_add(1);
      n.load();
    } else if (kind == "yields") {
      std::this_thread::yield();
    } else if (kind == "sleeps") {
      std::this_thread::sleep_for(std::chrono::nanoseconds(1));
    } else if (kind == "locks") {
      std::lock_guard lock(mutex);
    } else if (kind == "stack") {
      on_stack = on_stack + 1;
      n.load();
    } else if (kind == "local") {
      ++count;
      n.load();
    } else if (kind == "tries" && mutex.try_lock()) {
      mutex.unlock();
    }
  }
}

int main(int, char** argv) {
  kind = argv[1];
  rounds = atol(argv[2]);
  std::thread other(loop);
  is_late.store(true);
  if (kind != "late") loop();
  other.join();
}
