// No race: the thread writes a variable on main's stack; main looks after the join.
#include <cassert>
#include <thread>

int main() {
  int sums[2] = {};
  std::thread one([&] { sums[0] = 1; });
  std::thread other([&] { sums[1] = 2; });
  one.join();
  other.join();
  assert(sums[0] + sums[1] == 3);
}
