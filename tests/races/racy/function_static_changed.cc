// Races: the static is initialised once; changing it later is everybody's own affair.
#include <thread>

int& counter() {
  static int value = [] { return 1; }();
  return value;
}

void increase() {
  ++counter();  // race
}

int main() {
  std::thread other(increase);
  increase();
  other.join();
}
