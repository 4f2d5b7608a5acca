// A token ring: three stations hand a number on, each under the lock; the fourth thread looks.
// program: token_ring
// bug: assertion: nothing makes the stations go in the order of the ring.
// aim: token_ring: 5
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int x1 = 1;
static int x2 = 2;
static int x3 = 1;
static int went = 0;

static void first() {
  std::lock_guard guard(mutex);
  x1 = (x3 + 1) % 4;
  ++went;
}

static void second() {
  std::lock_guard guard(mutex);
  x2 = x1;
  ++went;
}

static void third() {
  std::lock_guard guard(mutex);
  x3 = x2;
  ++went;
}

static void check() {
  std::lock_guard guard(mutex);
  if (went == 3) assert(x1 == x2 && x2 == x3);
}

int main() {
  std::thread stations[] = {std::thread(first), std::thread(second), std::thread(third),
                            std::thread(check)};
  for (std::thread& station : stations) station.join();
}
