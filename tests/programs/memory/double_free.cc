// Two threads each think that they have taken the buffer out.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json --out %t.out %t
// EXIT: 1
// OUT: double-free
// OUT: free of a block that is free already
// OUT: freed again by T[12]
// OUT: freed by T[12]
// OUT: a block of 100 bytes, allocated by main
// JSON: j["failures"][0]["kind"] == "double-free" and j["executions"] > 1
// RUN: %heddle replay %t.out/*-1.heddle
// EXIT: 1
// RUN: %heddle run --preemptions 0 %t
#include <atomic>
#include <cstdlib>
#include <thread>
std::atomic<void*> buffer;
void drop() {
  if (void* mine = buffer.load()) {
    buffer.store(nullptr);
    free(mine);
  }
}
int main() {
  buffer = malloc(100);
  std::thread first(drop), second(drop);
  first.join();
  second.join();
}
