// No race: copies of a shared_ptr count atomically; the object is only read.
#include <cassert>
#include <memory>
#include <thread>

int main() {
  auto number = std::make_shared<const int>(42);
  std::thread reader([number] { assert(*number == 42); });
  assert(*number == 42);
  number.reset();
  reader.join();
}
