// Races: the new version is published relaxed.
#include <atomic>
#include <chrono>
#include <thread>

struct Version {
  int value;
} first, second;
std::atomic<Version*> current = &first;
int seen;

int main() {
  std::thread reader([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    seen = current.load(std::memory_order_acquire)->value;  // race
  });
  second.value = 2;  // race
  current.store(&second, std::memory_order_relaxed);
  reader.join();
}
