// Two containers that hold each other, as java.util.Vector and Hashtable can: to hash one its lock
// is taken, and then that of each of its elements. One thread puts each into the other and hashes
// the vector; the others hash the table, and take out of it what was put there.
// program: Deadlock
// bug: deadlock: the vector and the table are hashed at once, while each is in the other.
// prefer: first
#include <atomic>
#include <boost/thread/synchronized_value.hpp>
#include <map>
#include <vector>

#include "threads.h"

static std::atomic<int> hashed{0};

class Container {
 public:
  virtual ~Container() = default;
  virtual int hash(int depth) = 0;  // with its elements, so many levels of them
};

class Vector final : public Container {
 public:
  int hash(int depth) override {
    auto self = items_.synchronize();
    ++hashed;  // place: 4@1
    int sum = static_cast<int>(self->size());
    if (depth == 0) return sum;
    for (Container* item : *self) sum = 31 * sum + item->hash(depth - 1);  // place: 5@1
    return sum;
  }
  void add(Container* item) { items_->push_back(item); }

 private:
  boost::synchronized_value<std::vector<Container*>> items_;
};

class Table final : public Container {
 public:
  int hash(int depth) override {
    auto self = items_.synchronize();
    ++hashed;  // place: 3@2
    int sum = static_cast<int>(self->size());
    if (depth == 0) return sum;
    for (const auto& [key, item] : *self) sum += key ^ item->hash(depth - 1);  // place: 6@2
    return sum;
  }
  void put(int key, Container* item) { (*items_.synchronize())[key] = item; }
  void remove(int key) { items_->erase(key); }

 private:
  boost::synchronized_value<std::map<int, Container*>> items_;
};

static Vector vector;
static Table table;

static void tie() {
  for (int i = 0; i < 3; ++i) vector.add(&table);  // place: 1
  table.put(1, &vector);                           // place: 2
  vector.hash(1);
}

static void look() {
  table.hash(1);
  table.remove(1);
}

int main() { run_threads(tie, look); }
