// Races: the copy of the whole reads the member that the other writes.
#include <thread>

struct Wide {
  long cells[6];
} wide, copy;

int main() {
  std::thread other([] {
    copy = wide;  // race
  });
  wide.cells[4] = 1;  // race
  other.join();
}
