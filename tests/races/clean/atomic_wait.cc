// No race: atomic::wait acquires the value for which it returns.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> stage;
int data;

int main() {
  std::thread writer([] {
    data = 42;
    stage.store(1, std::memory_order_release);
    stage.notify_all();
  });
  stage.wait(0, std::memory_order_acquire);
  assert(data == 42);
  writer.join();
}
