// Main waits for the end of a thread, and that one on a condition: nobody will notify it, and they
// do not wait for each other.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// OUT: 2 threads wait, and no thread is left that could let one of them go on
// NOT: wait for each other
// JSON: j["failures"][0]["kind"] == "deadlock"
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable ready;
bool is_ready = false;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    ready.wait(lock, [] { return is_ready; });
  });
  {
    std::lock_guard lock(mutex);
    is_ready = false;
  }
  ready.notify_one();
  waiter.join();
}
