// No race: the writer's own relaxed exchange continues its release sequence (a store would not).
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<int> stage;

int main() {
  std::thread writer([] {
    data = 42;
    stage.store(1, std::memory_order_release);
    stage.exchange(2, std::memory_order_relaxed);
  });
  if (stage.load(std::memory_order_acquire) == 2) assert(data == 42);
  writer.join();
}
