// Reorder: threads set two variables, one after the other; others look at both.
// program: Reorder
// bug: assertion: the checker comes between the two stores of the first setter.
// prefer: second
#include <atomic>
#include <cassert>

#include "threads.h"

static std::atomic<int> a{0};
static std::atomic<int> b{0};

static void set() {
  a = 1;  // place: 1
  b = -1;
}

static void check() {
  int first = a;
  int second = b;  // place: 2
  assert((first == 0 && second == 0) || (first == 1 && second == -1));
}

int main() { run_threads(set, check); }
