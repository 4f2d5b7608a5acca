// A table that is built at its first use, with a quick look before the lock: "double-checked
// locking". The look is a plain read, and so it races with the write under the lock.
#include <cassert>
#include <mutex>
#include <thread>

struct Table {
  int size = 100;
};

std::mutex mutex;
Table* table;

Table* get() {
  if (table == nullptr) {
    std::lock_guard lock(mutex);
    if (table == nullptr) table = new Table;
  }
  return table;
}

int main() {
  std::thread first([] { assert(get()->size == 100); });
  std::thread second([] { assert(get()->size == 100); });
  first.join();
  second.join();
  delete table;
}
