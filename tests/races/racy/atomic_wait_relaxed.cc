// Races: the wait returns when the value has changed, but with a relaxed load.
#include <atomic>
#include <thread>

std::atomic<int> stage;
int data, seen;

int main() {
  std::thread writer([] {
    data = 42;  // race
    stage.store(1, std::memory_order_release);
    stage.notify_all();
  });
  stage.wait(0, std::memory_order_relaxed);
  seen = data;  // race
  writer.join();
}
