// No race: one permit; who gets it is alone.
#include <cassert>
#include <semaphore>
#include <thread>

std::binary_semaphore permit(1);
int counter;

void increase() {
  if (!permit.try_acquire()) return;
  ++counter;
  permit.release();
}

int main() {
  std::thread other(increase);
  increase();
  other.join();
  assert(counter == 1 || counter == 2);
}
