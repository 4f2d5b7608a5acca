// An exception that nobody catches, and whose what() is no text: it is told, and what there is of
// it.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json --out %t.out %t
// EXIT: 1
// OUT: FAILED  exception
// OUT: what\(\) returned 0x10, which cannot be read
// NOT: NOT REPEATABLE
// JSON: j["failures"][0]["kind"] == "exception"
#include <atomic>
#include <exception>
#include <thread>

struct Bad : std::exception {
  const char* what() const noexcept override { return reinterpret_cast<const char*>(16); }
};

std::atomic<int> order;

int main() {
  std::thread a([] { order = 1; });
  std::thread b([] {
    if (order == 0) throw Bad();
  });
  a.join();
  b.join();
}
