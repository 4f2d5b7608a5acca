// No race: who reads the flag with acquire has what was written before its release.
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<bool> ready;

int main() {
  std::thread writer([] {
    data = 42;
    ready.store(true, std::memory_order_release);
  });
  if (ready.load(std::memory_order_acquire)) assert(data == 42);
  writer.join();
}
