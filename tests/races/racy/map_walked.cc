// Races: the map is walked while another thread erases from it.
#include <map>
#include <thread>

std::map<int, int> squares = {{1, 1}, {2, 4}};
int seen;

int main() {
  std::thread other([] {
    squares.erase(2);  // race
  });
  for (auto& entry : squares) {  // race
    seen = entry.first;          // race
  }
  other.join();
}
