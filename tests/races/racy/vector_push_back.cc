// Races: two threads append to one vector.
#include <thread>
#include <vector>

std::vector<int> numbers;

void add(int number) {
  numbers.push_back(number);  // race
}

int main() {
  std::thread other(add, 1);
  add(2);
  other.join();
}
