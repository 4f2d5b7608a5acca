// No race: what comes before an unlock is before what follows the next lock, of whatever thread.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
bool ready;
int data;

int main() {
  std::thread writer([] {
    data = 42;  // the mutex is not held here
    std::lock_guard lock(mutex);
    ready = true;
  });
  bool seen;
  {
    std::lock_guard lock(mutex);
    seen = ready;
  }
  if (seen) assert(data == 42);
  writer.join();
}
