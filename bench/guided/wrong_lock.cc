// The wrong lock: one thread counts under the variable's lock, and the others under locks of their
// own, which have nothing to do with it.
// program: Wronglock
// bug: assertion: the variable changes while its lock is held.
// prefer: first
#include <atomic>
#include <cassert>
#include <mutex>

#include "threads.h"

static std::mutex lock;
static std::atomic<int> data{0};

static void count_right() {
  std::lock_guard guard(lock);
  int before = data;  // place: 1
  ++data;
  int after = data;  // place: 3
  assert(after == before + 1);
}

static void count_wrong() {
  std::mutex mine;
  std::lock_guard guard(mine);
  int value = data;
  data = value + 1;  // place: 2
}

int main() { run_threads(count_right, count_wrong); }
