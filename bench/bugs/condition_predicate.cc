// Two threads wait for different things on the same condition.
// program: condition_predicate
// bug: deadlock: notify_one may wake the thread whose predicate does not hold, and the other sleeps
//   on.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool is_open = false;
static bool is_empty = false;

static void wait_for(const bool& what) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return what; });
}

static void set(bool& what) {
  std::lock_guard guard(mutex);
  what = true;
  changed.notify_one();
}

int main() {
  std::thread guest([] { wait_for(is_open); });
  std::thread cleaner([] { wait_for(is_empty); });
  set(is_open);
  guest.join();
  set(is_empty);
  cleaner.join();
}
