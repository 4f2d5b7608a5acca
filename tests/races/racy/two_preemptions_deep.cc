// Races: only if each thread is stopped once, in the right place.
// rare: two switches at places that are instructions apart
#include <atomic>
#include <thread>

std::atomic<int> a, b;
int data;

int main() {
  std::thread other([] {
    a.store(1);
    if (b.load() == 1) {
      a.store(2);
      ++data;  // race
    }
  });
  if (a.load() == 1) {
    b.store(1);
    if (a.load() == 1) ++data;  // race
  }
  other.join();
}
