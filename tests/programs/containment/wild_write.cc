// A thread writes over its whole heap, unseen, and where nothing is.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --keep-going --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "crash"
#include <heddle/heddle.h>

#include <cstdlib>
#include <thread>
int main() {
  bool wild = heddle::choose(2) == 1;
  std::thread worker([wild] {
    auto* block = static_cast<char*>(std::malloc(64));
    if (wild) {
      char* at = block - 16;
      std::size_t count = std::size_t{1} << 20;
      asm volatile("rep stosb" : "+D"(at), "+c"(count) : "a"(0x5a) : "memory");
      *reinterpret_cast<volatile char*>(16) = 1;
    }
    asm volatile("" : : "r"(block) : "memory");
    std::free(block);
  });
  worker.join();
}
