// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: deadlock
// OUT: main.*wait.*main
// JSON: j["failures"][0]["kind"] == "deadlock" and j["executions"] == 1
#include <mutex>

int main() {
  std::mutex mutex;
  mutex.lock();
  mutex.lock();
}
