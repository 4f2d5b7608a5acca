// Races: the map is searched while another thread inserts.
#include <map>
#include <thread>

std::map<int, int> squares;
bool seen;

int main() {
  squares[1] = 1;
  std::thread other([] {
    squares[2] = 4;  // race
  });
  seen = squares.find(3) != squares.end();  // race
  other.join();
}
