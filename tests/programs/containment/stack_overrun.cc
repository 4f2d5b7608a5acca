// An ordinary overrun of a buffer on the stack, in one interleaving: it goes over all frames of the
// thread and over its thread-local storage, and ends where the stack does. It is a crash, told with
// its place, though there is no stack left to walk along.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json --out %t.out %t
// EXIT: 1
// OUT: FAILED  crash in T2 at stack_overrun.cc:23
// OUT: SIGSEGV
// NOT: NOT REPEATABLE
// JSON: j["failures"][0]["kind"] == "crash" and j["failures"][0]["schedule"] is not None
// RUN: %heddle replay --times 5 %t.out/*-1.heddle
// EXIT: 1
#include <atomic>
#include <cstring>
#include <thread>

std::atomic<int> order;
int size = 4000000;

__attribute__((noinline)) void fill(int bytes) {
  char buffer[16];
  memset(buffer, 'A', static_cast<size_t>(bytes));
  asm volatile("" ::"r"(buffer) : "memory");
}

int main() {
  std::thread a([] { order = 1; });
  std::thread b([] {
    if (order == 0) fill(size);
  });
  a.join();
  b.join();
}
