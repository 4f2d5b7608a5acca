// No race: the vector grows with the mutex held.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> numbers;

void add(int number) {
  std::lock_guard lock(mutex);
  numbers.push_back(number);
}

int main() {
  std::thread other(add, 1);
  add(2);
  other.join();
  assert(numbers.size() == 2);
}
