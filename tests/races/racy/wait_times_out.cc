// Races: only if the wait times out, when it resets what the other is about to write.
// rare: the other thread takes far less time than the limit
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready;
int result;

int main() {
  std::thread worker([] {
    result = 42;  // race
    {
      std::lock_guard lock(mutex);
      ready = true;
    }
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  bool came = changed.wait_for(lock, std::chrono::seconds(2), [] { return ready; });
  lock.unlock();
  if (!came) result = -1;  // race
  worker.join();
}
