// Races: the last owner frees without having acquired what the other wrote.
// or: use-after-free
#include <atomic>
#include <thread>

struct Counted {
  std::atomic<int> owners{2};
  int cells[2] = {};
};

void use(Counted* object, int who) {
  object->cells[who] = 1;                                                          // race
  if (object->owners.fetch_sub(1, std::memory_order_relaxed) == 1) delete object;  // race
}

int main() {
  auto* object = new Counted;
  std::thread other(use, object, 1);
  use(object, 0);
  other.join();
}
