// The heap: the same addresses for the same thread in every execution and schedule, fresh memory
// zero, alignment, sizes.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --preemptions 1 --json %t.json --show-output %t > %t.lines
// RUN: sort -u %t.lines | grep -c '^address'
// OUT: ^2$
#include <heddle/heddle.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

std::mutex mutex;

void use(int number) {
  void* mine = std::malloc(100);
  std::lock_guard lock(mutex);
  char line[100];
  int length = std::snprintf(line, sizeof line, "address of %d %p\n", number, mine);
  assert(write(1, line, static_cast<size_t>(length)) == length);
  for (size_t size : {1, 15, 16, 17, 100, 129, 1000, 4097, 70000, 1 << 20}) {
    auto* block = static_cast<unsigned char*>(std::malloc(size));
    assert(reinterpret_cast<size_t>(block) % 16 == 0);
    if (heddle::controlled()) assert(block[0] == 0 && block[size - 1] == 0);
    block[0] = block[size - 1] = 0xff;
    block = static_cast<unsigned char*>(std::realloc(block, size * 2));
    assert(block[0] == 0xff && (!heddle::controlled() || block[size] == 0));
    std::free(block);
    for (size_t alignment = 32; alignment <= 65536; alignment *= 8) {
      void* aligned = std::aligned_alloc(alignment, size);
      assert(reinterpret_cast<size_t>(aligned) % alignment == 0);
      std::memset(aligned, 0xff, size);
      std::free(aligned);
    }
  }
}

int main() {
  // Larger than a thread's share of the arena.
  auto* large = static_cast<char*>(std::malloc(70 << 20));
  assert(large != nullptr &&
         (!heddle::controlled() || (large[0] == 0 && large[(70 << 20) - 1] == 0)));
  large[0] = large[(70 << 20) - 1] = 1;
  std::free(large);
  std::thread first(use, 1), second(use, 2);
  first.join();
  second.join();
}
