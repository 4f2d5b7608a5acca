// No race: the second thread is created after the first was joined.
#include <cassert>
#include <thread>

int data;

int main() {
  for (int i = 0; i < 4; ++i) std::thread([] { ++data; }).join();
  assert(data == 4);
}
