// No race: the list is changed and walked with the mutex held.
#include <list>
#include <mutex>
#include <thread>

std::mutex mutex;
std::list<int> numbers;
int seen;

int main() {
  std::thread other([] {
    std::lock_guard lock(mutex);
    numbers.push_back(1);
    numbers.push_front(2);
    numbers.pop_back();
  });
  {
    std::lock_guard lock(mutex);
    for (int number : numbers) seen = number;
  }
  other.join();
}
