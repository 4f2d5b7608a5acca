// No race: readers use the version that they acquired; the old one is freed after the reader ended.
#include <atomic>
#include <cassert>
#include <thread>

struct Version {
  int left, right;
};
std::atomic<Version*> current;

int main() {
  current = new Version{1, 1};
  std::thread reader([] {
    Version* seen = current.load(std::memory_order_acquire);
    assert(seen->left == seen->right);
  });
  auto* fresh = new Version{2, 2};
  Version* old = current.exchange(fresh, std::memory_order_acq_rel);
  reader.join();
  delete old;
  delete fresh;
}
