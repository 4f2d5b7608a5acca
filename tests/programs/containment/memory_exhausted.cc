// The program's error, not ours: std::bad_alloc.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --heap 64 --keep-going --json %t.json %t
// EXIT: 1
// OUT: std::bad_alloc
// JSON: len(j["failures"]) == 1 and j["failures"][0]["kind"] == "exception" and j["coverage"]["complete"]
#include <atomic>
#include <cstring>
#include <thread>
std::atomic<int> done;
int main() {
  std::thread greedy([] {
    if (done.load() == 0) {
      for (;;) std::memset(new char[1 << 20], 1, 1 << 20);
    }
  });
  done = 1;
  greedy.join();
}
