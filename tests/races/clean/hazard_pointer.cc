// No race: the reader shows what it uses and looks again; the writer frees only what nobody shows.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int*> current, hazard;

int main() {
  current = new int(1);
  std::thread reader([] {
    int* seen = current.load();
    hazard.store(seen);
    if (current.load() == seen) assert(*seen == 1 || *seen == 2);
    hazard.store(nullptr);
  });
  int* old = current.exchange(new int(2));
  bool free_now = hazard.load() != old;
  if (free_now) delete old;
  reader.join();
  if (!free_now) delete old;
  delete current.load();
}
