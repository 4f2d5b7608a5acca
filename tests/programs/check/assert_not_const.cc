// HEDDLE_ASSERT takes operators that are not const, and literals that are no variables.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g -Wall -Wextra -Werror %s -o %t
// RUN: %heddle run %t
// EXIT: 1
// OUT: assertion `left == right' failed
#include <heddle/heddle.h>

#include <compare>

struct Both {
  int value;
  bool operator==(const Both& other) { return value == other.value; }
  bool operator<(Both& other) { return value < other.value; }
};

struct Number {
  int value;
  bool operator==(int other) { return value == other; }
};

struct Plain {
  int value;
  auto operator<=>(const Plain&) const = default;
};

int main() {
  Both left{1}, right{2};
  Number one{1};
  HEDDLE_ASSERT(left < right);
  HEDDLE_ASSERT(one == 1);
  HEDDLE_ASSERT(Plain{1} < Plain{2});
  HEDDLE_ASSERT((Plain{1} <=> Plain{2}) < 0);
  HEDDLE_ASSERT(0 > (Plain{1} <=> Plain{2}));
  HEDDLE_ASSERT(left == right);
}
