// A thread writes over its own thread control block, over the addresses that its functions would
// return to, or over the heap's own data, and then calls abort() or goes to where there is no code.
// Each is a failure that is told, and comes again.
// COMPILERS: gcc
// RUN: %cxx -std=c++20 -O1 -g -w %s -o %t
// RUN: %heddle run --json %t.1.json --out %t.1 %t control-block
// EXIT: 1
// NOT: NOT REPEATABLE
// RUN: %heddle replay %t.1/*-1.heddle
// EXIT: 1
// RUN: %heddle run --json %t.2.json --out %t.2 %t return-address
// EXIT: 1
// NOT: NOT REPEATABLE
// RUN: %heddle replay %t.2/*-1.heddle
// EXIT: 1
// RUN: %heddle run --json %t.3.json --out %t.3 %t heap
// EXIT: 1
// NOT: NOT REPEATABLE
// RUN: %heddle replay %t.3/*-1.heddle
// EXIT: 1
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>

std::atomic<int> order;
const char* what;

__attribute__((noinline)) void go_nowhere() {
  auto* frame = static_cast<uint64_t*>(__builtin_frame_address(0));
  for (int i = 0; i < 64; ++i) frame[i] = 0x4141414141414141;
  asm volatile("" ::: "memory");
}

void break_something() {
  if (strcmp(what, "control-block") == 0) {
    uint64_t self;
    asm("movq %%fs:0x10, %0" : "=r"(self));
    memset(reinterpret_cast<char*>(self) - 512, 'A', 1024);
    abort();
  }
  if (strcmp(what, "heap") == 0) {
    auto* block = static_cast<char*>(malloc(64));
    memset(block - 64, 'A', 4096);
    free(block);
    abort();
  }
  go_nowhere();
}

int main(int, char** argv) {
  what = argv[1];
  std::thread a([] { order = 1; });
  std::thread b([] {
    if (order == 0) break_something();
  });
  a.join();
  b.join();
}
