// Read, copy, update: readers announce themselves; a writer frees the old version when it is safe.
// program: rcu
// bug: use-after-free: the writer waits for the readers before it has put the new version in the
//   place of the old, and not after.
// options: --races explore
#include <atomic>
#include <cassert>
#include <thread>

struct Version {
  int a;
  int b;
};

static std::atomic<Version*> current{new Version{1, 1}};
static std::atomic<int> readers{0};

static void look() {
  ++readers;
  const Version* version = current.load();
  assert(version->a == version->b);
  --readers;
}

static void update() {
  auto* fresh = new Version{2, 2};
  while (readers > 0) std::this_thread::yield();
  delete current.exchange(fresh);
}

int main() {
  std::thread first(look);
  std::thread second(look);
  update();
  first.join();
  second.join();
  delete current.load();
}
