// Races: memmove reads what the other writes.
#include <cstring>
#include <thread>

int numbers[8];

int main() {
  std::thread other([] {
    std::memmove(numbers, numbers + 1, 7 * sizeof(int));  // race
  });
  numbers[7] = 1;  // race
  other.join();
}
