// No race: who brings the count to zero has acquired what all others did before they let go.
#include <atomic>
#include <thread>

struct Counted {
  std::atomic<int> owners{2};
  int cells[2] = {};
};

void use(Counted* object, int who) {
  object->cells[who] = 1;
  if (object->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object;
}

int main() {
  auto* object = new Counted;
  std::thread other(use, object, 1);
  use(object, 0);
  other.join();
}
