// Races: that both write the same value does not help.
#include <thread>

int data;

void put() {
  data = 1;  // race
}

int main() {
  std::thread other(put);
  put();
  other.join();
}
