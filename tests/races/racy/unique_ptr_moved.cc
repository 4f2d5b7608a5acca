// Races: one thread takes the pointer away while the other looks at it.
#include <memory>
#include <thread>

std::unique_ptr<int> owner = std::make_unique<int>(1);
bool seen;

int main() {
  std::thread other([] {
    std::unique_ptr<int> mine = std::move(owner);  // race
  });
  seen = owner != nullptr;  // race
  other.join();
}
