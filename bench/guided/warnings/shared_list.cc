// A list grows under its lock; its size is asked for without. Both accesses are in the library.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<int> list;
static size_t seen = 0;

static void append(int value) {
  std::lock_guard guard(mutex);
  list.push_back(value);
}

static void watch() { seen = list.size(); }

int main() {
  list.reserve(4);
  std::thread appender(append, 1);
  std::thread watcher(watch);
  appender.join();
  watcher.join();
  return seen <= 1 ? 0 : 1;
}
