// A table that is made by whoever needs it first. Whoever sees the pointer need not see what is in
// the table: it is published by a relaxed store.
#include <atomic>
#include <mutex>
#include <thread>

struct Table {
  int size;
};

static std::mutex mutex;
static std::atomic<Table*> table{nullptr};

static Table* make() { return new Table{16}; }

static int size() {
  if (table.load(std::memory_order_relaxed) == nullptr) {
    std::lock_guard guard(mutex);
    if (table.load(std::memory_order_relaxed) == nullptr) {
      table.store(make(), std::memory_order_relaxed);
    }
  }
  Table* made = table.load(std::memory_order_relaxed);
  return made->size;
}

static int sizes[2];

int main() {
  std::thread first([] { sizes[0] = size(); });
  std::thread second([] { sizes[1] = size(); });
  first.join();
  second.join();
  delete table.load();
  return sizes[0] == sizes[1] ? 0 : 1;
}
