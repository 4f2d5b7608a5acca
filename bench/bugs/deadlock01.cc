// Two locks, taken by two threads in opposite orders.
// program: deadlock01
// bug: deadlock: each may hold one and wait for the other.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex first;
static std::mutex second;
static int counter = 1;

static void up() {
  std::lock_guard outer(first);
  std::lock_guard inner(second);
  ++counter;
}

static void down() {
  std::lock_guard outer(second);
  std::lock_guard inner(first);
  --counter;
}

int main() {
  std::thread a(up);
  std::thread b(down);
  a.join();
  b.join();
  assert(counter == 1);
}
