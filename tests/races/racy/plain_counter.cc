// Races: two threads increment one plain variable.
#include <thread>

int counter;

void increase() {
  ++counter;  // race
}

int main() {
  std::thread one(increase), other(increase);
  one.join();
  other.join();
}
