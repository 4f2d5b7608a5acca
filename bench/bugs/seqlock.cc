// A sequence lock: the number is odd while somebody writes.
// program: seqlock
// bug: assertion: the reader waits until nobody writes, and does not look again after it has read.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<unsigned> sequence{0};
static std::atomic<int> x{0};
static std::atomic<int> y{0};

static void set(int value) {
  ++sequence;
  x = value;
  y = value;
  ++sequence;
}

static void look() {
  while (sequence % 2 != 0) std::this_thread::yield();
  int first = x;
  int second = y;
  assert(first == second);
}

int main() {
  std::thread reader([] {
    look();
    look();
  });
  set(1);
  set(2);
  reader.join();
}
