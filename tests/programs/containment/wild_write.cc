// A thread writes over its whole heap, and where nothing is.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --keep-going --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "crash"
#include <heddle/heddle.h>

#include <cstdlib>
#include <cstring>
#include <thread>
int main() {
  bool wild = heddle::choose(2) == 1;
  std::thread worker([wild] {
    auto* block = static_cast<char*>(std::malloc(64));
    if (wild) {
      std::memset(block - 16, 0x5a, std::size_t{1} << 20);
      *reinterpret_cast<volatile char*>(16) = 1;
    }
    asm volatile("" : : "r"(block) : "memory");
    std::free(block);
  });
  worker.join();
}
