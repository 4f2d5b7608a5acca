// In how many ways seven queens can be placed on a board: a task for each way to place the first
// two.
// test: NQueens
// steps: 1241
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

constexpr unsigned kSize = 7;
constexpr long kSolutions = 40;

// Rows that have been filled. Bits are columns: those that are taken, and those that the diagonals
// of the rows above reach.
struct Board {
  unsigned rows = 0;
  unsigned columns = 0;
  unsigned falling = 0;
  unsigned rising = 0;

  template <class Visit>
  void visit_next(Visit&& visit) const {
    for (unsigned bit = 1; bit < 1u << kSize; bit <<= 1) {
      if ((columns | falling | rising) & bit) continue;
      visit(Board{rows + 1, columns | bit, (falling | bit) << 1, (rising | bit) >> 1});
    }
  }
};

long solutions_of(const tasks::Context& context, const Board& board) {
  if (board.rows == kSize) return 1;
  if (context.is_cancelled()) return 0;
  long solutions = 0;
  board.visit_next([&](const Board& next) { solutions += solutions_of(context, next); });
  return solutions;
}

int main() {
  tasks::Scheduler scheduler(2);
  long solutions = scheduler.run([](tasks::Context& root) {
    Board().visit_next([&](const Board& first) {
      first.visit_next([&](const Board& second) {
        root.spawn([=](tasks::Context& task) { task.give(solutions_of(task, second)); });
      });
    });
  });
  assert(solutions == kSolutions);
}
