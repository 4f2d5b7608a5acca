// How long a state holds: a function that captures something is not called after the thread that
// declared it has returned from its own; no state is looked at once the program exits, when globals
// are destroyed; a new declaration takes the place of the old one; each execution begins without.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --list-states - %t
// OUT: execution step state
// OUT: \d+ \d+ 6f75746572\n\d+ \d+ 696e6e6572\n\d+ \d+ 6f74686572\n\d+ \d+ 676c6f62616c\n
// OUT: passed: .* 4 distinct states;
#include <heddle/heddle.h>

#include <atomic>
#include <cstring>
#include <string_view>
#include <thread>

std::atomic<int> steps;

// Looking at it after its end fails.
struct Text {
  char letters[8];
  explicit Text(const char* text) { std::strncpy(letters, text, sizeof letters); }
  ~Text() { std::strcpy(letters, "dead"); }
  std::string_view view() const {
    HEDDLE_ASSERT(std::string_view(letters) != "dead");
    return letters;
  }
};

struct Global : Text {
  Global() : Text("global") {}
  ~Global() {
    std::strcpy(letters, "dead");
    ++steps;
  }
} global;

int main(int argc, char**) {
  ++steps;
  Text outer("outer");
  heddle::state([&] { return outer.view(); });
  ++steps;
  std::thread other([] {
    Text inner("inner");
    heddle::state([&] { return inner.view(); });
    ++steps;
  });
  other.join();
  ++steps;
  {
    Text other("other");
    heddle::state([&] { return other.view(); });
    ++steps;
    heddle::state([] { return global.view(); });
  }
  ++steps;
}
