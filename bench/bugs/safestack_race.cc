// Vyukov's SafeStack: see safe_stack.h. The owner of an element counts its use in a plain variable.
// program: safestack_race: -DROUNDS=2
// program: safestack_race-4: -DROUNDS=4
// bug: data-race: two threads own the same element.
#include <cassert>
#include <numeric>

#include "safe_stack.h"

static SafeStack stack;
static std::array<int, SafeStack::kSize> uses{};

int main() {
  share(stack, [](int element) { ++uses[element]; });
  assert(std::accumulate(uses.begin(), uses.end(), 0) == kUses);
}
