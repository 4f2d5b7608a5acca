// No race: each thread has a counter of its own.
#include <cassert>
#include <thread>

thread_local int counter;

void work() {
  for (int i = 0; i < 3; ++i) ++counter;
  assert(counter == 3);
}

int main() {
  std::thread one(work), other(work);
  work();
  one.join();
  other.join();
}
