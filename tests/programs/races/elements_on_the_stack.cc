// Two threads write to one element of an array on the stack of one of them.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: on cells
// JSON: j["failures"][0]["kind"] == "data-race"
// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race"
// Each thread its own element: no race.
// RUN: %heddle run --json %t.json %t apart
// JSON: j["verdict"] == "passed"
#include <thread>

int main(int count, char**) {
  int cells[4] = {};
  std::thread other([&] { cells[1] = 1; });
  cells[count] = 2;
  other.join();
  return cells[1] == 0;
}
