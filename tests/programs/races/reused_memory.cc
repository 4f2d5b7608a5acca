// Memory that comes round: a block of libc's own heap and a mapping, which one thread has given
// back and another gets, without any order between the two. The second life has nothing to do with
// the first.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy random --executions 300 --json %t.json %t
// JSON: j["failures"] == []
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cassert>
#include <thread>
void use_and_return() {
  char* text = nullptr;
  if (asprintf(&text, "%d bottles", 99) < 0) abort();
  assert(text[0] == '9');
  text[0] = '8';
  free(text);
  constexpr size_t kBytes = 1 << 16;
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(memory != MAP_FAILED);
  static_cast<char*>(memory)[100] = 1;
  munmap(memory, kBytes);
  // A block so large that its shadow must not be made just to be forgotten.
  char* large = static_cast<char*>(malloc(size_t{1} << 28));
  large[size_t{1} << 27] = 1;
  free(large);
}
int main() {
  std::thread first(use_and_return), second(use_and_return);
  first.join();
  second.join();
}
