// Races: only if both leave at the same time, as neither then sees that the other has left.
// rare: both must have loaded before either stores
#include <atomic>
#include <thread>

std::atomic<int> inside{2};
int cleaned;

void leave() {
  int now = inside.load();
  inside.store(now - 1);
  if (now - 1 == 1) ++cleaned;  // race
}

int main() {
  std::thread one(leave), other(leave);
  one.join();
  other.join();
}
