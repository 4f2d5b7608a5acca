// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %heddle run --hang-after 0.5 --json %t.json --out %t.out %t
// EXIT: 1
// OUT: hang
// OUT: spin.*hang.cc:14
// JSON: j["failures"][0]["kind"] == "hang" and j["failures"][0]["location"] == "hang.cc:14"
// RUN: %heddle replay --hang-after 0.5 %t.out/*-1.heddle
// EXIT: 1
// OUT: hang
#include <atomic>
#include <thread>
std::atomic<int> mode;
void spin() {
  for (int turns = mode.load(); turns != 0;) {
  }
}
int main() {
  std::thread worker(spin);
  mode = 1;
  worker.join();
}
