// No race: lock gives an owner or nothing.
#include <cassert>
#include <memory>
#include <thread>

int main() {
  auto number = std::make_shared<int>(42);
  std::thread other([weak = std::weak_ptr<int>(number)] {
    if (auto seen = weak.lock()) assert(*seen == 42);
  });
  number.reset();
  other.join();
}
