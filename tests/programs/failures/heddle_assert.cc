// NDEBUG does not remove it.
// RUN: %cxx -std=c++20 -O1 -g -DNDEBUG %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: flag.load\(\) == 0
// JSON: j["failures"][0]["kind"] == "assertion" and j["failures"][0]["location"] == "heddle_assert.cc:14"
#include <heddle/heddle.h>

#include <atomic>
#include <thread>
std::atomic<int> flag;
int main() {
  std::thread setter([] { flag = 1; });
  HEDDLE_ASSERT(flag.load() == 0);
  setter.join();
}
