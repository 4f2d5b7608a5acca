// No race: each lets go with release; the last one has an acquire fence before it deletes.
// tsan: knows no fences
#include <atomic>
#include <thread>

struct Counted {
  std::atomic<int> owners{2};
  int cells[2] = {};
};

void use(Counted* object, int who) {
  object->cells[who] = 1;
  if (object->owners.fetch_sub(1, std::memory_order_release) != 1) return;
  std::atomic_thread_fence(std::memory_order_acquire);
  delete object;
}

int main() {
  auto* object = new Counted;
  std::thread other(use, object, 1);
  use(object, 0);
  other.join();
}
