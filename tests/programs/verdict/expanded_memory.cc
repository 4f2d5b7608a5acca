// A mistake this guards against: what GCC makes of memset, of std::fill and std::copy and the like,
// when it knows how long they are, are instructions that it adds after its instrumentation. No hook
// saw them, so a race or a use after free of theirs passed; only Clang found it.
//
// Two threads use the same memory, of a few lengths, in the ways that compilers expand. `race`: in
// no order. `freed`: one of them after the other has freed it, each time with the lock. `locked`:
// each with the lock. `apart`: each has its own.
// COMPILERS: gcc
// THOROUGH: clang
// TIMEOUT: 60
// RUN: for level in 0 1 2 3 s; do %cxx -std=c++20 -O$level %s -o %t.$level; done
// RUN: %cxx -std=c++17 -O2 -D_FORTIFY_SOURCE=2 %s -o %t.f
// RUN: for level in 0 2; do python3 %S/inputs/each.py data-race %heddle -- %t.$level race set,fill,zero,copy,move,builtin_set,builtin_copy,builtin_move,assign,clear,swap,array,equal 1,3,8,16,33,100; done
// RUN: for level in 1 3 s f; do python3 %S/inputs/each.py data-race %heddle -- %t.$level race set,fill,copy,assign,clear,equal 3,16,33; done
// RUN: for level in 0 1 2 3 s f; do python3 %S/inputs/each.py use-after-free %heddle -- %t.$level freed set,fill,copy 16; done
// RUN: for level in 0 2; do for mode in locked apart; do python3 %S/inputs/each.py passed %heddle -- %t.$level $mode set,fill,zero,copy,assign,clear,swap,equal 3,16; done; done
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

// What is assigned may be larger than its text.
template <int kSize>
struct Block {
  char text[kSize];
};

std::mutex mutex;
volatile bool sink;

template <int kSize>
void use(const std::string& way, Block<kSize>* mine, Block<kSize>* other) {
  char* text = mine->text;
  const char* from = other->text;
  if (way == "set") std::memset(text, 7, kSize);
  if (way == "fill") std::fill(text, text + kSize, 'x');
  if (way == "zero") std::fill_n(text, kSize, 0);
  if (way == "copy") std::copy(from, from + kSize, text);
  if (way == "move") std::memmove(text, from, kSize);
  if (way == "builtin_set") __builtin_memset(text, 7, kSize);
  if (way == "builtin_copy") __builtin_memcpy(text, from, kSize);
  if (way == "builtin_move") __builtin_memmove(text, from, kSize);
  if (way == "assign") *mine = *other;
  if (way == "clear") *mine = Block<kSize>{};
  if (way == "swap") std::swap(*mine, *other);
  if (way == "array") reinterpret_cast<std::array<char, kSize>*>(text)->fill('z');
  if (way == "equal" && std::equal(from, from + kSize, text)) text[0] = 1;
}

template <int kSize>
void test(const std::string& mode, const std::string& way) {
  auto* shared = new Block<kSize>[4]();
  auto go = [&](int thread) {
    bool apart = mode == "apart";
    std::unique_lock lock(mutex, std::defer_lock);
    if (mode != "race" && !apart) lock.lock();
    if (mode == "freed" && thread == 0) return delete[] shared;
    use<kSize>(way, &shared[apart ? 2 * thread : 0], &shared[apart ? 2 * thread + 1 : 1]);
  };
  std::thread second(go, 1);
  go(0);
  second.join();
  if (mode != "freed") delete[] shared;
}

int main(int, char** argv) {
  std::string mode = argv[1], way = argv[2];
  switch (std::atoi(argv[3])) {
    case 1:
      return test<1>(mode, way), 0;
    case 3:
      return test<3>(mode, way), 0;
    case 8:
      return test<8>(mode, way), 0;
    case 16:
      return test<16>(mode, way), 0;
    case 33:
      return test<33>(mode, way), 0;
    case 100:
      return test<100>(mode, way), 0;
  }
  std::printf("no such length\n");
  return 1;
}
