// Races: an increment of a volatile variable is a read and a write.
#include <thread>

volatile int counter;

void increase() {
  counter = counter + 1;  // race
}

int main() {
  std::thread other(increase);
  increase();
  other.join();
}
