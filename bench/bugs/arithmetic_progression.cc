// An arithmetic progression: one thread makes its terms, another adds them up; each waits for the
// other on one condition.
// program: arithmetic_progression
// bug: deadlock: the adder looks whether there is a term in one critical section, and sleeps in the
//   next, where it does not look again.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

constexpr int kTerms = 3;
static std::mutex mutex;
static std::condition_variable changed;
static int term = 0;  // 0: there is none
static int sum = 0;

static bool has_term() {
  std::lock_guard guard(mutex);
  return term != 0;
}

static void make() {
  for (int i = 1; i <= kTerms; ++i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return term == 0; });
    term = 2 * i;
    changed.notify_one();
  }
}

static void add() {
  for (int i = 1; i <= kTerms; ++i) {
    bool is_there = has_term();
    std::unique_lock lock(mutex);
    if (!is_there) changed.wait(lock);
    sum += term;
    term = 0;
    changed.notify_one();
  }
}

int main() {
  std::thread maker(make);
  std::thread adder(add);
  maker.join();
  adder.join();
  assert(sum == kTerms * (kTerms + 1));
}
