// Races: only if main comes while nobody waits yet, and then counts without the lock.
// rare: the waiter is nearly always there first
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool waiting;
int data;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    waiting = true;
    changed.wait_for(lock, std::chrono::milliseconds(200));
    ++data;  // race
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  std::unique_lock lock(mutex);
  bool there = waiting;
  if (there) changed.notify_one();
  lock.unlock();
  if (!there) ++data;  // race
  waiter.join();
}
