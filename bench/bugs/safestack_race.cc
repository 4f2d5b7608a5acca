// Vyukov's SafeStack: see safe_stack.h. The owner of an element writes to a plain variable.
// program: safestack_race
// bug: data-race: two threads own the same element.
#include <cassert>

#include "safe_stack.h"

static SafeStack stack;
static std::array<int, SafeStack::kSize> values{};

int main() {
  share(stack, [](int me, int element) {
    values[element] = me;
    assert(values[element] == me);
  });
}
