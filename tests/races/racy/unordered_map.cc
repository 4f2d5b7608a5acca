// Races: two threads count in one hash table.
#include <thread>
#include <unordered_map>

std::unordered_map<int, int> counts;

void count(int number) {
  ++counts[number];  // race
}

int main() {
  std::thread other(count, 1);
  count(2);
  other.join();
}
