// References that are counted, as shared_ptr and weak_ptr do it: who has a weak one may ask for a
// strong one while there is one.
// program: ref_count
// bug: use-after-free: whether there is one is looked at, and then one more is counted, while the
//   last one goes.
// options: --races explore
#include <atomic>
#include <cassert>
#include <thread>

struct Object {
  int value = 42;
};

static Object* object = new Object;
static std::atomic<int> strong{1};
static std::atomic<bool> is_gone{false};

static bool upgrade() {
  if (strong.load() == 0) return false;
  strong.fetch_add(1);
  return true;
}

static void release() {
  if (strong.fetch_sub(1) == 1 && !is_gone.exchange(true)) delete object;
}

int main() {
  std::thread observer([] {
    if (!upgrade()) return;
    assert(object->value == 42);
    release();
  });
  release();
  observer.join();
}
