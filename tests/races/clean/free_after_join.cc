// No race: freed after the join of the thread that read it.
#include <cassert>
#include <thread>

int main() {
  int* number = new int(42);
  std::thread reader([=] { assert(*number == 42); });
  reader.join();
  delete number;
}
