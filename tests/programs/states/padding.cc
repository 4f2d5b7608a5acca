// Bytes between the members of a structure are no part of a state.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --list-states - %t
// OUT: 1 0 01000000050000000000000000000000\n
// OUT: , 1 distinct state;
#include <heddle/heddle.h>

#include <atomic>
#include <cstring>
#include <new>

struct Padded {
  char letter;
  int number;
  alignas(8) char last;
};

alignas(Padded) unsigned char memory[sizeof(Padded)];
std::atomic<int> steps;

int main() {
  heddle::state([] { return *reinterpret_cast<const Padded*>(memory); });
  for (int i = 0; i < 5; ++i) {
    std::memset(memory, i, sizeof memory);
    auto* padded = reinterpret_cast<Padded*>(memory);
    padded->letter = 1;
    padded->number = 5;
    padded->last = 0;
    ++steps;
  }
}
