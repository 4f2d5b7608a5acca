// No race: the wait returns after all have counted down.
#include <cassert>
#include <latch>
#include <thread>

std::latch both(2);
int parts[2];

void work(int part) {
  parts[part] = part + 1;
  both.count_down();
}

int main() {
  std::thread one(work, 0), other(work, 1);
  both.wait();
  assert(parts[0] + parts[1] == 3);
  one.join();
  other.join();
}
