// Races: only if the consumer finds the queue empty and then looks without the lock.
// rare: the producer is nearly always done before
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
int count, seen;

int main() {
  std::thread producer([] {
    std::lock_guard lock(mutex);
    ++count;  // race
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  bool empty;
  {
    std::lock_guard lock(mutex);
    empty = count == 0;
  }
  if (empty) seen = count;  // race
  producer.join();
}
