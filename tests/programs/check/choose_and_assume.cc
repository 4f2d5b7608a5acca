// choose(n) is tried with every value; assume(false) gives the execution up: 3 * 4 = 12 executions,
// 8 of them pruned.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] == 12 and j["pruned"] == 8
// RUN: %t
#include <heddle/heddle.h>
int main() {
  unsigned a = heddle::choose(3);
  unsigned b = heddle::choose(4);
  heddle::assume(a == 0 || !heddle::controlled());
  HEDDLE_ASSERT(b < 4);
}
