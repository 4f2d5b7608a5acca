// Every second execution crashes; the search goes to the end: 2^9 executions.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --keep-going --preemptions none --json %t.json %t
// EXIT: 1
// JSON: j["executions"] == 512 and j["failing_executions"] == 256 and len(j["failures"]) == 1
// JSON: j["coverage"]["complete"]
#include <heddle/heddle.h>
int main() {
  unsigned sum = 0;
  for (int i = 0; i < 9; ++i) sum += heddle::choose(2);
  if (sum % 2 == 1) *static_cast<volatile int*>(nullptr) = 0;
}
