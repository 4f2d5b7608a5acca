// Races: it lets go of the object and then still uses it.
// or: use-after-free
#include <atomic>
#include <thread>

struct Counted {
  std::atomic<int> owners{2};
  int value = 0;
};

void use(Counted* object) {
  bool last = object->owners.fetch_sub(1) == 1;
  object->value = 1;        // race, also with itself
  if (last) delete object;  // race
}

int main() {
  auto* object = new Counted;
  std::thread other(use, object);
  use(object);
  other.join();
}
