// Reads and writes beyond a block, before it, across its end; and all sizes and alignments, used
// to the last byte, without a complaint.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for what in fine fine-realloc fine-aligned; do %heddle run --leaks --strategy random --executions 20 --json - %t $what | grep -q '"failures": \[\]'; done
// RUN: %heddle run --json %t.json %t past
// EXIT: 1
// OUT: write just past the end of a block
// OUT: write of 1 byte by main
// OUT: a block of 5 bytes, allocated by main
// JSON: j["failures"][0]["kind"] == "out-of-bounds"
// RUN: %heddle run --json %t.json %t before
// EXIT: 1
// OUT: read 4 bytes before the beginning of a block
// JSON: j["failures"][0]["kind"] == "out-of-bounds"
// RUN: %heddle run --json %t.json %t across
// EXIT: 1
// OUT: write just past the end of a block
// OUT: write of 4 bytes by main
// OUT: a block of 6 bytes, allocated by main
// RUN: %heddle run --json %t.json %t shrunk
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "out-of-bounds"
// RUN: %heddle run --json %t.json %t atomic
// EXIT: 1
// OUT: atomic write
// JSON: j["failures"][0]["kind"] == "out-of-bounds"
// RUN: %heddle run --spurious --json %t.json %t weak
// EXIT: 1
// OUT: atomic write
// JSON: j["failures"][0]["kind"] == "out-of-bounds"
// RUN: %heddle run --json %t.json %t copy
// EXIT: 1
// OUT: read of 24 bytes by main
// JSON: j["failures"][0]["kind"] == "out-of-bounds"
// RUN: %heddle run --json %t.json %t text
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "out-of-bounds"
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
template <typename T>
T* block(size_t bytes) {
  void* volatile memory = malloc(bytes);
  return static_cast<T*>(memory);
}
int main(int, char** arguments) {
  std::string what = arguments[1];
  char target[64];
  if (what == "past") {
    char* text = block<char>(5);
    text[what.size() + 1] = 'x';
  } else if (what == "before") {
    int* numbers = block<int>(16);
    return numbers[-static_cast<int>(what.size()) + 5];
  } else if (what == "across") {
    char* text = block<char>(6);
    *reinterpret_cast<uint32_t*>(text + 4) = 7;
  } else if (what == "shrunk") {
    void* volatile memory = realloc(block<char>(100), 97);
    static_cast<char*>(memory)[what.size() + 91] = 'x';
  } else if (what == "atomic") {
    auto* numbers = block<std::atomic<int>>(8);
    numbers[what.size() - 4].fetch_add(1);
  } else if (what == "weak") {
    auto* numbers = block<std::atomic<int>>(8);
    int expected = 0;
    while (!numbers[what.size() - 2].compare_exchange_weak(expected, 1)) {
    }
  } else if (what == "copy") {
    memcpy(target, block<char>(20), 20 + (what.size() & 4));
    return target[what.size()];
  } else if (what == "text") {
    char* text = block<char>(4);
    memset(text, 'x', 4);
    return strlen(text) == 4 ? 0 : 1;
  } else if (what == "fine") {
    for (size_t size = 0; size < 300; ++size) {
      char* text = block<char>(size);
      for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i);
      free(text);
    }
  } else if (what == "fine-realloc") {
    void* volatile memory = malloc(1);
    for (size_t size = 1; size < 3000; size += 7) {
      memory = realloc(memory, size);
      static_cast<char*>(memory)[size - 1] = 'x';
    }
    free(memory);
  } else if (what == "fine-aligned") {
    for (size_t alignment = 16; alignment <= 4096; alignment *= 2) {
      void* memory = nullptr;
      if (posix_memalign(&memory, alignment, 77) != 0) return 1;
      static_cast<char*>(memory)[76] = 'x';
      free(memory);
    }
  }
}
