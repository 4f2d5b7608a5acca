// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json --out %t.out %t
// EXIT: 1
// OUT: uncaught exception std::runtime_error: boom
// OUT: exception.cc:16
// JSON: j["failures"][0]["kind"] == "exception" and j["failures"][0]["location"] == "exception.cc:16"
// RUN: %heddle replay --times 20 %t.out/*-1.heddle
// EXIT: 1
#include <atomic>
#include <stdexcept>
#include <thread>
std::atomic<bool> armed;

void fire() {
  if (armed.load()) throw std::runtime_error("boom");
}
int main() {
  std::thread worker(fire);
  armed = true;
  worker.join();
}
