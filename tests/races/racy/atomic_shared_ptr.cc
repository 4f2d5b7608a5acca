// Races: inside GCC 12's library, whose load unlocks the pointer with a relaxed operation.
#include <atomic>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> shared = std::make_shared<int>(1);
int seen;

int main() {
  std::thread other([] {
    shared.store(std::make_shared<int>(2));  // race
  });
  seen = *shared.load();  // race
  other.join();
}
