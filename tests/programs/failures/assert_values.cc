// HEDDLE_ASSERT tells both sides of a comparison, each of them evaluated once, and takes whatever
// expression it always took.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++17 -O0 -g -Wall -Wextra -Werror %s -o %t.0
// RUN: %t.0
// OUT: all hold
// RUN: %t.0 1
// EXIT: 134
// OUT: Assertion `three == next\(\)' failed: 3 == 2\.
// RUN: %cxx -std=c++20 -O1 -g -Wall -Wextra -Werror %s -o %t
// RUN: %heddle run --executions 1 --quiet %t
// RUN: %heddle run --executions 1 %t 1
// EXIT: 1
// OUT: assert_values.cc:\d+: assertion `three == next\(\)' failed: 3 == 2\n
// RUN: %heddle run --executions 1 %t 2
// EXIT: 1
// OUT: failed: "abc" == "abd"\n
// RUN: %heddle run --executions 1 --trace --json %t.json %t 3
// EXIT: 1
// OUT: failed: 2 == 3\n
// JSON: [s["operation"] for s in j["failures"][0]["trace"]].count("atomic load") == 5
// RUN: %heddle run --executions 1 %t 4
// EXIT: 1
// OUT: failed: 4 == nothing\n
// RUN: %heddle run --executions 1 %t 5
// EXIT: 1
// OUT: assertion `Opaque\{1\} == Opaque\{2\}' failed\n
// RUN: %heddle run --executions 1 %t 6
// EXIT: 1
// OUT: failed: 0 == 1\n
// RUN: %heddle run --executions 1 %t 7
// EXIT: 1
// OUT: failed: nullptr != nullptr\n
// RUN: %heddle run --executions 1 %t 8
// EXIT: 1
// OUT: assertion `three == 4 && text == "abc"' failed\n
// RUN: %heddle run --executions 1 %t 9
// EXIT: 1
// OUT: failed: 'a' > 'b'\n
// RUN: %heddle run --executions 1 %t 10
// EXIT: 1
// OUT: failed: "abc" == "y{80}"\.\.\.\n
// RUN: %heddle run --executions 1 %t 11
// EXIT: 1
// OUT: failed: 0\.\d+ == 0\.\d+\n
// RUN: %heddle run --executions 1 %t 12
// EXIT: 1
// OUT: failed: -1 >= 0\n
// RUN: %heddle run --executions 1 %t 13
// EXIT: 1
// OUT: failed: true != true\n
// RUN: %heddle run --executions 1 %t 14
// EXIT: 1
// OUT: failed: &five != &five\n
#include <heddle/heddle.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#if __cplusplus >= 202002L
#include <compare>
#endif

struct Flags {
  unsigned low : 3;
};
enum class Colour { red, green };
struct Opaque {
  int value;
  bool operator==(const Opaque& other) const { return value == other.value; }
};

int three = 3;
unsigned five = 5;
Flags flags{3};
std::string text = "abc";
const char* pointer = "abd";
int* null = nullptr;
volatile int quick = 1;
std::atomic<int> two{2};
std::optional<int> four = 4;
std::vector<int> numbers{1, 2};
bool yes = true;
int calls;
int next() { return ++calls; }

constexpr int half(int n) {
  HEDDLE_ASSERT(n % 2 == 0);
  return n / 2;
}
static_assert(half(4) == 2);

void what_compilers_take() {
  std::unique_ptr<int> owner;
  HEDDLE_ASSERT(three == 3);
  HEDDLE_ASSERT(3 == three);
  HEDDLE_ASSERT(numbers.size() == 2);
  HEDDLE_ASSERT(flags.low == 3);
  HEDDLE_ASSERT(text == "abc");
  HEDDLE_ASSERT(pointer);
  HEDDLE_ASSERT(!null);
  HEDDLE_ASSERT(null == NULL);
  HEDDLE_ASSERT(null == 0);
  HEDDLE_ASSERT(0 == null);
  HEDDLE_ASSERT(owner == nullptr);
  HEDDLE_ASSERT(quick == 1);
  HEDDLE_ASSERT(two == 2);
  HEDDLE_ASSERT(2 == two);
  HEDDLE_ASSERT(two);
  HEDDLE_ASSERT(four);
  HEDDLE_ASSERT(numbers == numbers);
  HEDDLE_ASSERT(numbers.begin() != numbers.end());
  HEDDLE_ASSERT(three == 3 && five == 5);
  HEDDLE_ASSERT(three == 4 || five == 5);
  HEDDLE_ASSERT(three ? five : 0);
  HEDDLE_ASSERT(three & 1);
  HEDDLE_ASSERT((three & 1) == 1);
  HEDDLE_ASSERT(three | 0);
  HEDDLE_ASSERT(three ^ 1);
  HEDDLE_ASSERT(three + 1 <= 4);
  HEDDLE_ASSERT(three >= 3);
  HEDDLE_ASSERT((three == 3) == yes);
  HEDDLE_ASSERT([] { return three; }() == 3);
  HEDDLE_ASSERT(Colour::red != Colour::green);
#if __cplusplus >= 202002L
  HEDDLE_ASSERT((three <=> 3) == 0);
  HEDDLE_ASSERT(three <=> 4 < 0);
#endif
  HEDDLE_ASSERT(next() == 1);
  HEDDLE_ASSERT(calls == 1);
  HEDDLE_ASSERT(two.load() == 2);
}

int main(int count, char** words) {
  what_compilers_take();
  switch (count > 1 ? atoi(words[1]) : 0) {
    case 1:
      HEDDLE_ASSERT(three == next());
      break;
    case 2:
      HEDDLE_ASSERT(text == pointer);
      break;
    case 3:
      HEDDLE_ASSERT(two == 3);
      break;
    case 4:
      HEDDLE_ASSERT(four == std::optional<int>());
      break;
    case 5:
      HEDDLE_ASSERT(Opaque{1} == Opaque{2});
      break;
    case 6:
      HEDDLE_ASSERT(Colour::red == Colour::green);
      break;
    case 7:
      HEDDLE_ASSERT(null != nullptr);
      break;
    case 8:
      HEDDLE_ASSERT(three == 4 && text == "abc");
      break;
    case 9:
      HEDDLE_ASSERT(text[0] > 'b');
      break;
    case 10:
      HEDDLE_ASSERT(text == std::string(200, 'y'));
      break;
    case 11:
      HEDDLE_ASSERT(0.1 * quick == 0.2);
      break;
    case 12:
      HEDDLE_ASSERT(three - 4 >= 0);
      break;
    case 13:
      HEDDLE_ASSERT(yes != true);
      break;
    case 14: {
      unsigned* same = &five;
      HEDDLE_ASSERT(same != &five);
      break;
    }
    default:
      puts("all hold");
  }
}
