// --suppress: known failures are counted, and the search goes on, after a race in the same
// execution too.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// The race comes first, and hides the assertion.
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race" and j["suppressed"] == []
// By function, by variable, by file and line; in the words of ThreadSanitizer, and in ours. main's
// write with T1's read, and with T1's write, are two races.
// RUN: printf '# known\n\nrace:^count_hit\n' > f && %heddle run --suppress f --json %t.json %t
// EXIT: 1
// OUT: FAILED  assertion in main at known.cc:105
// OUT: suppressed: data-race at known.cc:80, by f:3 \(2\)
// OUT: ^failed: 1 failure in 4 executions, 2 of them to learn which places race; 2 failures suppressed;
// JSON: j["verdict"] == "failed" and [s["kind"] for s in j["suppressed"]] == ["data-race"] * 2
// The failure that was found is replayed without the race.
// RUN: %heddle replay heddle-out/known-1.heddle
// EXIT: 1
// OUT: FAILED  assertion in main at known.cc:
// RUN: echo 'data-race:hits' > f && %heddle run --suppress f --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "assertion" and len(j["suppressed"]) == 2
// RUN: echo 'data-race:known.cc:80' > f && %heddle run --suppress f --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "assertion" and len(j["suppressed"]) == 2
// Another line, another kind, another end of the name: nothing is suppressed.
// RUN: printf 'data-race:known.cc:8\ndeadlock:count_hit\nrace:^count$\n' > f
// RUN: %heddle run --suppress f --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race" and j["suppressed"] == []
// Two races, one of them known.
// RUN: echo 'race:count_hit' > f && %heddle run --suppress f --json %t.json %t both
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race" and j["failures"][0]["object"] == "misses"
// RUN: %heddle run --keep-going --suppress f --json %t.json %t both
// EXIT: 1
// JSON: {f["object"] for f in j["failures"]} == {"misses"} and len(j["suppressed"]) == 2
// All of them.
// RUN: echo '*:known.cc' > f && %heddle run --suppress f --json %t.json %t
// OUT: suppressed: assertion at known.cc:105, by f:1
// OUT: ^passed: .* 3 failures suppressed;
// JSON: j["verdict"] == "passed" and j["exit_code"] == 0 and j["failing_executions"] == 0
// JSON: sorted(s["kind"] for s in j["suppressed"]) == ["assertion", "data-race", "data-race"]
// A deadlock, by the function of a thread that waits.
// RUN: echo 'deadlock:lock_both' > f && %heddle run --suppress f --json %t.json %t locks
// OUT: ^passed: .* 1 failure suppressed;
// JSON: [s["kind"] for s in j["suppressed"]] == ["deadlock"]
// Saved, and taken up again.
// RUN: echo '*:known.cc' > f && %heddle run --suppress f --executions 5 --json %t.json %t
// JSON: j["verdict"] == "incomplete" and len(j["suppressed"]) == 3
// RUN: %heddle run --suppress f --resume --json %t.json %t
// JSON: j["verdict"] == "passed" and len(j["suppressed"]) == 3
// RUN: %heddle run --suppress f --executions 5 %t > out && echo 'race:known.cc' > f
// RUN: %heddle run --suppress f --resume %t
// EXIT: 2
// OUT: has --suppress \*:known.cc; , this one --suppress data-race:known.cc;
// Files that are not as they should be.
// RUN: printf 'race:x\nrace\n' > f && %heddle run --suppress f %t
// EXIT: 2
// OUT: ^heddle: f:2: a line is KIND:PATTERN
// RUN: echo 'mutex:x' > f && %heddle run --suppress f %t
// EXIT: 2
// OUT: ^heddle: f:1: there is no kind of failure mutex; there are assertion, crash
// RUN: echo 'race:' > f && %heddle run --suppress f %t
// EXIT: 2
// OUT: ^heddle: f:1: the pattern is empty
// RUN: %heddle run --suppress none %t
// EXIT: 2
// OUT: ^heddle: --suppress none: No such file
#include <atomic>
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

int hits, misses;
std::atomic<int> order;
std::mutex one, two;

void count_hit() { ++hits; }
void count_miss() { ++misses; }

void lock_both(std::mutex& first, std::mutex& second) {
  std::lock_guard<std::mutex> a(first);
  std::lock_guard<std::mutex> b(second);
}

int main(int argc, char** argv) {
  std::string what = argc > 1 ? argv[1] : "";
  if (what == "locks") {
    std::thread other([] { lock_both(one, two); });
    lock_both(two, one);
    other.join();
    return 0;
  }
  std::thread other([&] {
    count_hit();
    order = 1;
    if (what == "both") count_miss();
  });
  count_hit();
  int seen = order;
  if (what == "both") count_miss();
  other.join();
  assert(seen == 0);
}
