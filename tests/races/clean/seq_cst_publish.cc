// No race: sequentially consistent stores release, and loads acquire.
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<int> ready;

int main() {
  std::thread writer([] {
    data = 42;
    ready = 1;
  });
  if (ready == 1) assert(data == 42);
  writer.join();
}
