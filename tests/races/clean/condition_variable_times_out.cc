// No race: timed out or not, the waiter holds the mutex when it looks.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int data;

int main() {
  std::thread writer([] {
    std::lock_guard lock(mutex);
    data = 42;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::milliseconds(20));
    ++data;
  }
  writer.join();
}
