// A hash map whose table grows: the entries go over to a table of twice the size.
// program: map_resize
// bug: use-after-free: a look-up takes the table before the lock, and the table may be replaced and
//   freed before it has it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

class Map {
 public:
  ~Map() { delete table_.load(); }
  void insert(int key) {
    std::lock_guard guard(mutex_);
    if (++size_ * 2 > table_.load()->size()) grow();
    put(*table_, key);
  }
  bool contains(int key) {
    Table* table = table_.load();
    std::lock_guard guard(mutex_);
    for (size_t i = key % table->size(); (*table)[i] != 0; i = (i + 1) % table->size()) {
      if ((*table)[i] == key) return true;
    }
    return false;
  }

 private:
  using Table = std::vector<int>;  // 0: free

  static void put(Table& table, int key) {
    size_t i = key % table.size();
    while (table[i] != 0) i = (i + 1) % table.size();
    table[i] = key;
  }
  void grow() {
    Table* old = table_.load();
    auto* fresh = new Table(old->size() * 2);
    for (int key : *old) {
      if (key != 0) put(*fresh, key);
    }
    table_.store(fresh);
    delete old;
  }

  std::mutex mutex_;
  size_t size_ = 0;
  std::atomic<Table*> table_{new Table(4)};
};

static Map map;

int main() {
  map.insert(1);
  std::thread writer([] {
    map.insert(5);
    map.insert(9);
  });
  std::thread reader([] { assert(map.contains(1)); });
  writer.join();
  reader.join();
}
