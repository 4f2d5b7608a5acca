// Dekker's mutual exclusion of two threads.
// program: dekker
// bug: assertion: a thread whose turn it is again does not look at the other's flag once more
//   after it has raised its own.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> wants[2]{};
static std::atomic<int> turn{0};
static std::atomic<int> inside{0};

static void lock(int me) {
  int other = 1 - me;
  wants[me] = true;
  while (wants[other]) {
    if (turn == me) {
      std::this_thread::yield();
      continue;
    }
    wants[me] = false;
    while (turn == other && wants[other]) std::this_thread::yield();
    wants[me] = true;
    break;
  }
}

static void unlock(int me) {
  turn = 1 - me;
  wants[me] = false;
}

static void run(int me) {
  for (int i = 0; i < 2; ++i) {
    lock(me);
    assert(inside.fetch_add(1) == 0);
    --inside;
    unlock(me);
  }
}

int main() {
  std::thread first(run, 0);
  std::thread second(run, 1);
  first.join();
  second.join();
}
