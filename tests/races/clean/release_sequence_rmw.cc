// No race: a relaxed read-modify-write of another thread continues the release sequence.
#include <atomic>
#include <cassert>
#include <thread>

int data;
std::atomic<int> stage;

int main() {
  std::thread writer([] {
    data = 42;
    stage.store(1, std::memory_order_release);
  });
  std::thread between([] { stage.fetch_add(2, std::memory_order_relaxed); });
  if (stage.load(std::memory_order_acquire) == 3) assert(data == 42);
  writer.join();
  between.join();
}
