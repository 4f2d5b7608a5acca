// The counters of --coverage are plain variables that all threads increment: no race of the
// program. Its own races are.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g --coverage %s -o %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] >= 2
// RUN: %heddle run --races explore --json %t.json %t
// JSON: j["verdict"] == "passed" and j["notes"] == []
// RUN: %heddle run --json %t.json %t race
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race" and j["failures"][0]["object"] == "unguarded"
#include <mutex>
#include <thread>

std::mutex mutex;
int guarded, unguarded;

void count(int times, bool race) {
  for (int i = 0; i < times; ++i) {
    std::lock_guard<std::mutex> lock(mutex);
    ++guarded;
  }
  if (race) ++unguarded;
}

int main(int argc, char**) {
  std::thread other(count, 1, argc > 1);
  count(1, argc > 1);
  other.join();
  return guarded == 2 ? 0 : 1;
}
