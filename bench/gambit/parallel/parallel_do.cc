// A call in which an action throws, one whose results are added up, and a tree of calls.
// test: ParallelDo
// steps: 2632
// bug 1: assertion: an action is claimed in two steps: two threads may claim the same one.
// bug 2: assertion: a helper leaves before it has handed over the exception that it has caught.
// bug 3: assertion: the call is over when all actions have been run; helpers may not yet have
//   added what theirs gave.
#include "parallel_do.h"

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <latch>
#include <span>
#include <stdexcept>

using parallel::Helpers;

// Two actions that wait for each other, so that a helper runs one of them.
class Meeting {
 public:
  void wait() { met_.arrive_and_wait(); }

 private:
  std::latch met_{2};
};

void report_failure(Helpers& helpers) {
  Meeting meeting;
  bool caught = false;
  try {
    helpers.parallel_do({[&] {
                           meeting.wait();
                           return 0L;
                         },
                         [&]() -> long {
                           meeting.wait();
                           throw std::runtime_error("no");
                         }});
  } catch (const std::runtime_error&) {
    caught = true;
  }
  assert(caught);
}

void add_up(Helpers& helpers) {
  Meeting meeting;
  auto give = [&](long number) {
    meeting.wait();
    return number;
  };
  long sum = helpers.parallel_do({[&] { return give(1); }, [&] { return give(2); }});
  assert(sum == 3);
}

constexpr std::size_t kGrain = 150;

long double_all(Helpers& helpers, std::span<std::atomic<int>> numbers) {
  if (numbers.size() <= kGrain) {
    for (std::atomic<int>& number : numbers) number.store(number.load() * 2);
    return 0;
  }
  std::size_t half = numbers.size() / 2;
  return helpers.parallel_do(
      {[=, &helpers] { return double_all(helpers, numbers.first(half)); },
       [=, &helpers] { return double_all(helpers, numbers.subspan(half)); }});
}

int main() {
  Helpers helpers(2);
  report_failure(helpers);
  add_up(helpers);
  std::array<std::atomic<int>, 4 * kGrain> numbers;
  for (std::atomic<int>& number : numbers) number = 1;
  double_all(helpers, numbers);
  for (std::atomic<int>& number : numbers) assert(number == 2);
}
