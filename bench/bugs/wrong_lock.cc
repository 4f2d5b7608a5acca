// The wrong lock: in each pair of threads, one counts under the variable's lock, and the other
// under a lock that has nothing to do with it.
// program: wrong_lock-1: -DPAIRS=1
// program: wrong_lock-3: -DPAIRS=3
// bug: assertion: the variable changes while its lock is held.
// options: --races explore
// aim: wrong_lock-1: 10
// aim: wrong_lock-3: 10
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex right;
static std::mutex wrong;
static volatile int data = 0;  // so that it is read as often as it says

static void count_right() {
  std::lock_guard guard(right);
  int before = data;
  data = data + 1;
  assert(data == before + 1);
}

static void count_wrong() {
  std::lock_guard guard(wrong);
  data = data + 1;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < PAIRS; ++i) {
    threads.emplace_back(count_right);
    threads.emplace_back(count_wrong);
  }
  for (std::thread& thread : threads) thread.join();
}
