// No race: whoever takes the pointer out of the box with acq_rel owns what it points to.
#include <atomic>
#include <thread>

std::atomic<int*> box;

void use() {
  if (int* mine = box.exchange(nullptr, std::memory_order_acq_rel)) {
    ++*mine;
    box.store(mine, std::memory_order_release);
  }
}

int main() {
  box = new int(0);
  std::thread one(use), other(use);
  one.join();
  other.join();
  delete box.load();
}
