// A synchronized list is compared with another, as java.util.AbstractList has it in the paper's
// figure 1: its own lock is held, that of the other list is not. Each call on the other list locks
// by itself, as Boost's synchronized_value does it, so that its iterator outlives the lock. The
// thread that adds does so only while lists are being compared, and comes late.
// program: AbsList
// bug: use-after-free: the list grows, and moves, while an iterator goes through it.
// prefer: first
#include <atomic>
#include <boost/thread/synchronized_value.hpp>
#include <vector>

#include "threads.h"

using List = boost::synchronized_value<std::vector<int>>;

static List mine(std::vector<int>{1, 2});
static List other(std::vector<int>{1, 2});
static List notes(std::vector<int>{});
static std::atomic<int> comparing{0};
static std::atomic<bool> compared{false};

static bool equals(List& list, List& with) {
  auto self = list.synchronize();
  auto one = self->begin();
  auto two = with->begin();                           // place: 3
  while (one != self->end() && two != with->end()) {  // place: 4
    if (*one++ != *two++) return false;               // place: 6
  }
  return one == self->end() && two == with->end();
}

static void compare() {
  ++comparing;  // place: 1
  if (!equals(mine, other)) notes->push_back(0);
  compared = true;
}

static void add() {
  for (int i = 0; i < 6; ++i) notes->push_back(i);
  if (comparing > 0 && !compared) {  // place: 2
    other->push_back(3);             // place: 5
  }
}

int main() { run_threads(add, compare); }
