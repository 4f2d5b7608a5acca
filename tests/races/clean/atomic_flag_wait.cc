// No race: the wait returns when it has acquired the other's test_and_set.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic_flag ready;
int data;

int main() {
  std::thread writer([] {
    data = 42;
    ready.test_and_set(std::memory_order_release);
    ready.notify_one();
  });
  ready.wait(false, std::memory_order_acquire);
  assert(data == 42);
  writer.join();
}
