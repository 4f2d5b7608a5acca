// No race: a condition variable that waits with a shared lock.
#include <cassert>
#include <condition_variable>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::condition_variable_any changed;
bool ready;

int main() {
  std::thread writer([] {
    {
      std::lock_guard lock(mutex);
      ready = true;
    }
    changed.notify_all();
  });
  {
    std::shared_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
    assert(ready);
  }
  writer.join();
}
