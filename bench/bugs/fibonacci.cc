// Two threads add each other's number to their own, a few times; the sums are largest if they take
// turns, when they are Fibonacci's numbers.
// program: fibonacci-3: -DROUNDS=3 -DLIMIT=21
// program: fibonacci-5: -DROUNDS=5 -DLIMIT=144
// bug: assertion: the limit can be reached, in one order of all steps alone.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int numbers[2] = {1, 1};

static void add(int me) {
  for (int i = 0; i < ROUNDS; ++i) {
    std::lock_guard guard(mutex);
    numbers[me] += numbers[1 - me];
  }
}

int main() {
  std::thread first(add, 0);
  std::thread second(add, 1);
  first.join();
  second.join();
  assert(numbers[0] < LIMIT && numbers[1] < LIMIT);
}
