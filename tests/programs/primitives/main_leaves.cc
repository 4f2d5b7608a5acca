// main ends by pthread_exit: the program ends with its last thread, with status 0 and its handlers
// run.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --preemptions none --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 1
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
std::atomic<int> destroyed, done;
struct Local {
  ~Local() { ++destroyed; }
};
int main() {
  Local local;
  std::atexit([] { assert(destroyed == 1 && done == 1); });
  std::thread([] { ++done; }).detach();
  pthread_exit(nullptr);
}
