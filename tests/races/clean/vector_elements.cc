// No race: different elements are different objects, and the vector itself does not change.
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::vector<int> numbers(2);
  std::thread other([&] { numbers[1] = 2; });
  numbers[0] = 1;
  other.join();
  assert(numbers[0] + numbers[1] == 3);
}
