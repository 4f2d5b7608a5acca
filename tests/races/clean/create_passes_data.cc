// No race: what the creator did before is before all that the thread does.
#include <cassert>
#include <thread>

int data;

int main() {
  data = 42;
  std::thread reader([] { assert(data == 42); });
  reader.join();
  data = 43;
}
