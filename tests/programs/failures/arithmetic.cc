// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: SIGFPE
// JSON: j["failures"][0]["kind"] == "crash" and j["failures"][0]["location"] == "arithmetic.cc:10"
#include <atomic>
#include <thread>
std::atomic<int> divisor{1};
volatile int result;
void divide() { result = 100 / divisor.load(); }
int main() {
  std::thread worker(divide);
  divisor = 0;
  worker.join();
}
