// Races: one thread frees what the other writes; found as a race or as a use after free.
// or: use-after-free
#include <cstdlib>
#include <thread>

int main() {
  int* number = static_cast<int*>(std::malloc(sizeof(int)));
  std::thread writer([=] {
    *number = 42;  // race
  });
  std::free(number);  // race
  writer.join();
}
