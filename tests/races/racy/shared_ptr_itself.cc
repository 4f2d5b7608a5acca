// Races: one thread copies the very shared_ptr that the other resets.
#include <memory>
#include <thread>

std::shared_ptr<int> shared = std::make_shared<int>(1);

int main() {
  std::thread other([] {
    std::shared_ptr<int> copy = shared;  // race
  });
  shared.reset();  // race
  other.join();
}
