// No race: each thread has its own member of the one object.
#include <thread>

struct Pair {
  int left, right;
} pair;

int main() {
  std::thread other([] { ++pair.left; });
  ++pair.right;
  other.join();
}
