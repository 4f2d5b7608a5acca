// Races: waking from a wait orders through the mutex only, and the notifier never held it.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
int data, seen;

int main() {
  std::thread notifier([] {
    data = 42;  // race
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::milliseconds(50));
  }
  seen = data;  // race
  notifier.join();
}
