// Races: the count is atomic, the object is not.
#include <memory>
#include <thread>

int main() {
  auto number = std::make_shared<int>(0);
  std::thread other([number] {
    ++*number;  // race
  });
  ++*number;  // race
  other.join();
}
