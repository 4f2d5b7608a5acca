// Peterson's mutual exclusion of two threads.
// program: peterson
// bug: assertion: a thread gives the turn away before it raises its flag, in the wrong order.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> wants[2]{};
static std::atomic<int> turn{0};
static std::atomic<int> inside{0};

static void run(int me) {
  for (int i = 0; i < 2; ++i) {
    int other = 1 - me;
    turn = other;
    wants[me] = true;
    while (wants[other] && turn == other) std::this_thread::yield();
    assert(inside.fetch_add(1) == 0);
    --inside;
    wants[me] = false;
  }
}

int main() {
  std::thread first(run, 0);
  std::thread second(run, 1);
  first.join();
  second.join();
}
