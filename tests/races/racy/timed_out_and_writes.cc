// Races: it writes even when the lock was not to be had in time.
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex mutex;
int data;

int main() {
  std::thread holder([] {
    std::lock_guard lock(mutex);
    data = 1;  // race
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::unique_lock lock(mutex, std::defer_lock);
  if (!lock.try_lock_for(std::chrono::milliseconds(5))) data = 2;  // race
  if (lock) lock.unlock();
  holder.join();
}
