// No race: what the thread did is before all that follows its join.
#include <cassert>
#include <thread>

int main() {
  int result = 0;
  std::thread writer([&] { result = 42; });
  writer.join();
  assert(result == 42);
}
