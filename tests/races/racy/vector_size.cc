// Races: the size is asked while another thread appends.
#include <thread>
#include <vector>

std::vector<int> numbers;
bool seen;

int main() {
  std::thread other([] {
    numbers.push_back(1);  // race
  });
  seen = numbers.empty();  // race
  other.join();
}
