// Races: the flag that the waiter looks at is set without the mutex.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready;

int main() {
  std::thread writer([] {
    ready = true;  // race
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    if (!ready) changed.wait_for(lock, std::chrono::milliseconds(20));  // race
  }
  writer.join();
}
