// A call in which an action throws, one whose results are added up, and a sort that calls and
// calls.
// test: ParallelDo
// steps: 2640
// bug 1: assertion: an action is claimed in two steps: two threads may claim the same one.
// bug 2: assertion: a helper leaves before it has handed over the exception that it has caught.
// bug 3: assertion: the call is over when all actions have been run; helpers may not yet have
//   added what theirs gave.
#include "parallel_do.h"

#include <array>
#include <cassert>
#include <stdexcept>

using parallel::Helpers;

void report_failure(Helpers& helpers) {
  bool caught = false;
  try {
    helpers.parallel_do({[] { return 1L; }, []() -> long { throw std::runtime_error("no"); }});
  } catch (const std::runtime_error&) {
    caught = true;
  }
  assert(caught);
}

void add_up(Helpers& helpers) {
  long sum = helpers.parallel_do({[] { return 1L; }, [] { return 2L; }, [] { return 4L; }});
  assert(sum == 7);
}

long double_all(Helpers& helpers, int* begin, int* end) {
  if (end - begin == 1) {
    *begin *= 2;
    return 0;
  }
  int* middle = begin + (end - begin) / 2;
  return helpers.parallel_do({[=, &helpers] { return double_all(helpers, begin, middle); },
                              [=, &helpers] { return double_all(helpers, middle, end); }});
}

int main() {
  Helpers helpers(2);
  report_failure(helpers);
  add_up(helpers);
  std::array<int, 108> numbers;
  numbers.fill(1);
  double_all(helpers, numbers.data(), numbers.data() + numbers.size());
  for (int number : numbers) assert(number == 2);
}
