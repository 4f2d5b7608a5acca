// heddle::name: objects of the heap have their names in reports, until the memory begins a new
// life. Outside of an execution a name does nothing.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --preemptions 0 %t x
// EXIT: 1
// OUT: atomic store the flag: 0 -> 1
// OUT: atomic store ring: 0 -> 1
// OUT: atomic store ring\+4: 0 -> 1
// OUT: atomic store heap 0x[0-9a-f]*: 1 -> 2
#include <heddle/heddle.h>

#include <atomic>
#include <cstdlib>
#include <memory>

int main(int argc, char**) {
  auto flag = std::make_unique<std::atomic<int>>();
  heddle::name(flag.get(), "the flag");
  flag->store(1);
  auto* ring = static_cast<int*>(std::calloc(2, sizeof(int)));
  heddle::name(ring, 2 * sizeof(int), "ring");
  std::atomic_ref(ring[0]).store(1);
  std::atomic_ref(ring[1]).store(1);
  ring = static_cast<int*>(std::realloc(ring, 2 * sizeof(int)));
  std::atomic_ref(ring[0]).store(2);
  flag->store(2);
  std::free(ring);
  HEDDLE_ASSERT(argc == 1);
}
