// No race: a bit-field of width zero puts the two into different memory locations.
#include <thread>

struct Flags {
  unsigned left : 4;
  unsigned : 0;
  unsigned right : 4;
} flags;

int main() {
  std::thread other([] { flags.left = 3; });
  flags.right = 5;
  other.join();
}
