// Vyukov's SafeStack: see safe_stack.h. The owners of each element are counted.
// program: safestack: -DROUNDS=2
// program: safestack-4: -DROUNDS=4
// bug: assertion: two threads own the same element.
// options: --races ignore
#include <cassert>

#include "safe_stack.h"

static SafeStack stack;
static std::array<std::atomic<int>, SafeStack::kSize> owners{};

int main() {
  share(stack, [](int element) {
    assert(owners[element].fetch_add(1) == 0);
    assert(owners[element].load() == 1);
    --owners[element];
  });
}
