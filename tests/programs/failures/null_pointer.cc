// A crash, with the stack through inlined and real calls, at every level of optimisation.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %heddle run --json %t.json --out %t.out %t
// EXIT: 1
// OUT: SIGSEGV.*null pointer
// OUT: use.*null_pointer.cc:27
// OUT: worker.*null_pointer.cc:30
// JSON: j["failures"][0]["kind"] == "crash" and j["failures"][0]["location"] == "null_pointer.cc:27"
// RUN: %heddle replay --times 20 %t.out/*-1.heddle
// EXIT: 1
// RUN: %cxx -std=c++20 -O2 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: null_pointer.cc:27
// JSON: j["failures"][0]["kind"] == "crash" and j["failures"][0]["location"] == "null_pointer.cc:27"
#include <atomic>
#include <thread>

std::atomic<int*> shared;
int target;

void publish() { shared.store(&target); }

__attribute__((noinline)) void use(int* pointer) {
  volatile int* checked = pointer;
  *checked = 1;
}

void worker() { use(shared.load()); }

int main() {
  std::thread publisher(publish), user(worker);
  publisher.join();
  user.join();
}
