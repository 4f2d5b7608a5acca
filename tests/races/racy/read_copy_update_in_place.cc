// Races: the version that readers may be at is changed in place.
#include <atomic>
#include <thread>

struct Version {
  int value;
} only;
std::atomic<Version*> current = &only;
int seen;

int main() {
  std::thread reader([] {
    seen = current.load(std::memory_order_acquire)->value;  // race
  });
  current.load(std::memory_order_acquire)->value = 2;  // race
  reader.join();
}
