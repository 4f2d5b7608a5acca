// No race: the first to come initialises the static, others wait for it.
#include <cassert>
#include <thread>

struct Table {
  int entries[4];
  Table() {
    for (int i = 0; i < 4; ++i) entries[i] = i;
  }
};

const Table& table() {
  static Table only;
  return only;
}

void use() { assert(table().entries[3] == 3); }

int main() {
  std::thread one(use), other(use);
  one.join();
  other.join();
}
