// No race: the writer's own relaxed exchange continues its release sequence (a store would not).
#include <atomic>
#include <cassert>
#include <thread>

int data, old;
std::atomic<int> stage;

int main() {
  std::thread writer([] {
    data = 42;
    stage.store(1, std::memory_order_release);
    old = stage.exchange(2, std::memory_order_relaxed);  // unused, Clang makes a store of it
  });
  if (stage.load(std::memory_order_acquire) == 2) assert(data == 42);
  writer.join();
}
