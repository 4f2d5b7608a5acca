// Races: elements of vector<bool> share a word.
#include <thread>
#include <vector>

std::vector<bool> flags(8);

void set(int which) {
  flags[which] = true;  // race
}

int main() {
  std::thread other(set, 1);
  set(2);
  other.join();
}
