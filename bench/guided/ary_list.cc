// A synchronized list is copied, as java.util.ArrayList copies one: first it is asked for its size,
// and then for its elements, each under the lock, which is not held in between. The thread that
// adds does so only while nobody has a copy yet, and comes late.
// program: AryList
// bug: out-of-bounds, use-after-free: the list grows after it was asked for its size.
// prefer: first
#include <algorithm>
#include <atomic>
#include <boost/thread/synchronized_value.hpp>
#include <vector>

#include "threads.h"

using List = boost::synchronized_value<std::vector<int>>;

static List shared(std::vector<int>{1, 2, 3});
static List notes(std::vector<int>{});
static std::atomic<int> begun{0};
static std::atomic<int> copied{0};

static std::vector<int> copy_of(List& list) {
  std::vector<int> copy(list->size());  // place: 3
  auto begin = list->begin();           // place: 5
  auto end = list->end();
  std::copy(begin, end, copy.begin());  // place: 6
  return copy;
}

static void copy() {
  ++begun;  // place: 1
  std::vector<int> mine = copy_of(shared);
  copied += static_cast<int>(mine.size());
}

static void add() {
  for (int i = 0; i < 6; ++i) notes->push_back(i);
  if (begun > 0 && copied == 0) {  // place: 2
    shared->push_back(4);          // place: 4
  }
}

int main() { run_threads(add, copy); }
