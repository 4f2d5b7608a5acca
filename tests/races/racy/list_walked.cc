// Races: the list is walked while another thread appends.
#include <list>
#include <thread>

std::list<int> numbers = {1};
int seen;

int main() {
  std::thread other([] {
    numbers.push_back(2);  // race
  });
  for (int number : numbers) {  // race
    seen = number;
  }
  other.join();
}
