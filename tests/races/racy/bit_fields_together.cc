// Races: adjacent bit-fields are one memory location.
#include <thread>

struct Flags {
  unsigned left : 4;
  unsigned right : 4;
} flags;

int main() {
  std::thread other([] {
    flags.left = 3;  // race
  });
  flags.right = 5;  // race
  other.join();
}
