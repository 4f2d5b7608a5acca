// Races: main looks at the result before the join.
#include <thread>

int main() {
  int result = 0;
  std::thread writer([&] {
    result = 42;  // race
  });
  bool early = result == 42;  // race
  writer.join();
  return early ? 2 : 0;
}
