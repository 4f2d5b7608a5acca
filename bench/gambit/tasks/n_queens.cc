// In how many ways six queens can be placed on a board: a task for each way to place two.
// test: NQueens
// steps: 1389
// bug 1: livelock: a thief that has come too late for the last item of a queue leaves without
//   unlocking it; its owner, who was after the same item, tries for ever to lock it.
// bug 2: assertion: an owner looks at the head before it has moved the tail: it and a thief take
//   the same item.
// bug 3: assertion: two workers see the first task, and both run it.
// bug 4: assertion: an owner gives its queue more slots without the lock, while a thief, who has
//   moved the head, has not yet read its item.
// bug 5: assertion: a task is counted as complete before its result has been added.
// bug 6: assertion: a child is counted after it has been pushed: it may be complete by then.
#include <cassert>

#include "scheduler.h"

constexpr unsigned kSize = 6;
constexpr long kSolutions = 4;

// Bits are columns: those with a queen, and those that a diagonal from a queen above reaches.
constexpr unsigned kAll = (1u << kSize) - 1;

long solutions(const tasks::Context& context, unsigned columns, unsigned falling, unsigned rising) {
  if (columns == kAll) return 1;
  long found = 0;
  for (unsigned column = 1; column < kAll; column <<= 1) {
    if (context.is_cancelled()) break;
    if ((columns | falling | rising) & column) continue;
    found += solutions(context, columns | column, (falling | column) << 1, (rising | column) >> 1);
  }
  return found;
}

int main() {
  tasks::Scheduler scheduler(2);
  long found = scheduler.run([](tasks::Context& root) {
    for (unsigned first = 1; first < kAll; first <<= 1) {
      for (unsigned second = 1; second < kAll; second <<= 1) {
        if (second & (first | first << 1 | first >> 1)) continue;
        root.spawn([=](tasks::Context& task) {
          unsigned falling = (first << 1 | second) << 1;
          unsigned rising = (first >> 1 | second) >> 1;
          task.give(solutions(task, first | second, falling, rising));
        });
      }
    }
  });
  assert(found == kSolutions);
}
