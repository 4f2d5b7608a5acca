// Races: one thread frees what the other reads; found as a race or as a use after free.
// or: use-after-free
#include <thread>

int seen;

int main() {
  int* number = new int(42);
  std::thread reader([=] {
    seen = *number;  // race
  });
  delete number;  // race
  reader.join();
}
