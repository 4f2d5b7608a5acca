// Two stages: threads set one variable under one lock, and then another under another lock; others
// look at both in the same way.
// program: TwoStage
// bug: assertion: the reader comes between the stages of the first setter.
// prefer: second
#include <atomic>
#include <cassert>
#include <mutex>

#include "threads.h"

static std::mutex lock1;
static std::mutex lock2;
static std::atomic<int> data1{0};
static std::atomic<int> data2{0};

static void set() {
  {
    std::lock_guard guard(lock1);
    data1 = 1;  // place: 1
  }
  std::lock_guard guard(lock2);
  data2 = data1 + 1;  // reads what lock1 guards, as the original does
}

static void look() {
  int first = 0;
  {
    std::lock_guard guard(lock1);
    first = data1;
  }
  if (first == 0) return;
  std::lock_guard guard(lock2);
  int second = data2;  // place: 2
  assert(second == first + 1);
}

int main() { run_threads(set, look); }
