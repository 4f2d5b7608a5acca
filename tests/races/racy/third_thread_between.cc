// Races: only if the third thread comes between the check and the use.
// rare: two threads must meet inside a few instructions
#include <atomic>
#include <thread>

std::atomic<int> owner;
int data;

void claim(int me) {
  if (owner.load() != 0) return;
  owner.store(me);
  if (owner.load() == me) ++data;  // race
}

int main() {
  std::thread one(claim, 1), other(claim, 2);
  one.join();
  other.join();
}
