// Two threads that go through phases; in odd ones the locks are taken in the other order.
// program: phase01: -DPHASES=2
// program: phase01-8: -DPHASES=8
// bug: deadlock: nothing keeps the threads in the same phase.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex locks[2];
static int work = 0;

static void run() {
  for (int phase = 0; phase < PHASES; ++phase) {
    std::lock_guard outer(locks[phase % 2]);
    std::lock_guard inner(locks[1 - phase % 2]);
    ++work;
  }
}

int main() {
  std::thread first(run);
  std::thread second(run);
  first.join();
  second.join();
  assert(work == 2 * PHASES);
}
