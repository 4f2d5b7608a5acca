// No race: an element may be used while others go into the map, which moves none.
#include <map>
#include <mutex>
#include <thread>

std::mutex mutex;
std::map<int, int> squares = {{1, 0}};

int main() {
  std::map<int, int>::iterator mine = squares.find(1);
  std::thread other([] {
    std::lock_guard lock(mutex);
    squares[2] = 4;
    squares[0] = 0;
  });
  mine->second = 1;
  other.join();
}
