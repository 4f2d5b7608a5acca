// Races: the thread writes a variable on main's stack while main uses it.
#include <thread>

int main() {
  int sum = 0;
  std::thread other([&] {
    sum += 1;  // race
  });
  sum += 2;  // race
  other.join();
  return sum == 4;
}
