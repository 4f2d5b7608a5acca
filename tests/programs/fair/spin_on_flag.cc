// `while (!flag.load());`: explored to the end, without annotation, and told of.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// OUT: warning: good-samaritan at .*spin_on_flag.cc:26
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
// RUN: %heddle run --good-samaritan error --json %t.json %t
// EXIT: 1
// OUT: FAILED  good-samaritan in main at .*spin_on_flag.cc:26
// JSON: j["failures"][0]["kind"] == "good-samaritan"
// RUN: %heddle run --good-samaritan off --json %t.json %t
// NOT: good-samaritan
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["coverage"]["complete"]
#include <heddle/heddle.h>

#include <atomic>
#include <thread>
std::atomic<bool> flag;
int data;
int main() {
  std::thread writer([] {
    data = 1;
    flag.store(true);
  });
  while (!flag.load()) {
  }
  HEDDLE_ASSERT(data == 1);
  writer.join();
}
