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
// Nothing crashes by itself here, since threads end without libc; natively one would.
// RUN: %heddle run --out %t.4 %t silently
// EXIT: 1
// OUT: crash in T2
// OUT: a thread control block is overwritten
// RUN: %heddle replay --times 3 %t.4/*-1.heddle
// EXIT: 1
// OUT: reproduced 3 times
// RUN: %heddle run --isolation fork --keep-going --json %t.json %t silently
// EXIT: 1
// JSON: {f["kind"] for f in j["failures"]} == {"crash"} and j["failing_executions"] < j["executions"]
// RUN: %heddle run --keep-going --json %t.json %t silently
// EXIT: 1
// JSON: {f["kind"] for f in j["failures"]} == {"crash"} and j["failing_executions"] < j["executions"]
// RUN: %heddle run --executions 20 %t main
// EXIT: 1
// OUT: a thread control block is overwritten
#include <pthread.h>

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
  if (strcmp(what, "silently") == 0) {
    memset(reinterpret_cast<char*>(pthread_self()), 0, 512);
    return;
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
    if (order == 0 && strcmp(what, "main") != 0) break_something();
  });
  a.join();
  b.join();
  if (strcmp(what, "main") == 0) memset(reinterpret_cast<char*>(pthread_self()) + 40, 0, 8);
}
