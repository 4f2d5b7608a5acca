// A counter that is changed under its lock, and read without.
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int total = 0;

static void add(int amount) {
  std::lock_guard guard(mutex);
  total += amount;
}

static int current() { return total; }

int main() {
  std::thread adder(add, 5);
  int seen = current();
  adder.join();
  std::printf("%d\n", seen <= total);
}
