// What a state may be, and how it becomes bytes: plain values without padding, ranges, pairs,
// tuples and optionals. Each is declared in the place of the one before, and visited after the next
// step.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --list-states - %t
// OUT: execution step state
// OUT: 1 1 07000000\n
// OUT: 1 2 01\n
// OUT: 1 3 000000000000f03f\n
// OUT: 1 4 616263\n
// OUT: 1 5 \n
// OUT: 1 6 01000200\n
// OUT: 1 7 0102000000616201000000\n
// OUT: 1 8 0200000001000000610000000003\n
// OUT: 1 9 01010005\n
// OUT: 1 10 02000000020305\n
// OUT: 1 11 0101000000\n
// OUT: 1 12 0100000002000000\n
// OUT: 1 13 0100\n
// OUT: 13 distinct states
#include <heddle/heddle.h>

#include <array>
#include <atomic>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

std::atomic<int> steps;

template <typename Value>
void next(const Value& value) {
  heddle::state([&] { return value; });
  ++steps;  // where it is announced, the step before it is complete
}

struct Plain {
  int first;
  int second;
};

int main() {
  ++steps;
  next(7);
  next(true);
  next(1.0);
  next(std::string_view("abc"));
  next(std::span<const char>());
  next(std::array<short, 2>{1, 2});
  // Inside of something else a range has its length before it.
  next(std::tuple(char{1}, std::string("ab"), 1));
  next(std::pair(std::vector<std::string>{"a", ""}, char{3}));
  next(std::tuple(std::optional<char>(1), std::optional<char>(), char{5}));
  next(std::pair(std::span<const char>("\2\3", 2), char{5}));
  next(std::map<char, int>{{1, 1}});
  next(Plain{1, 2});
  next(std::vector<bool>{true, false});
}
