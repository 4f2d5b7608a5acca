// Double-checked locking: who sees the pointer does not take the lock.
// program: double_checked
// bug: assertion: the pointer is set before the object is filled.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Table {
  std::atomic<int> size{0};
  std::atomic<int> sum{0};

  void fill() {
    for (int i = 1; i <= 3; ++i) sum += i;
    size = 3;
  }
};

static std::mutex mutex;
static std::atomic<Table*> instance{nullptr};

static Table* get() {
  Table* table = instance.load();
  if (table != nullptr) return table;
  std::lock_guard guard(mutex);
  table = instance.load();
  if (table == nullptr) {
    table = new Table;
    instance.store(table);
    table->fill();
  }
  return table;
}

static void use() {
  Table* table = get();
  assert(table->size == 3 && table->sum == 6);
}

int main() {
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
  delete instance.load();
}
