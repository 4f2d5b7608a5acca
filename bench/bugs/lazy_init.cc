// Lazy initialisation: two threads ask for an object that the first is to make.
// program: lazy_init
// bug: assertion: whether it is there is looked at without a lock, so that it is made twice.
#include <atomic>
#include <cassert>
#include <thread>

struct Settings {
  int level = 7;
};

static std::atomic<Settings*> instance{nullptr};
static std::atomic<int> made{0};

static Settings* get() {
  if (instance.load() == nullptr) {
    ++made;
    instance.store(new Settings);
  }
  return instance.load();
}

int main() {
  std::thread first([] { assert(get()->level == 7); });
  std::thread second([] { assert(get()->level == 7); });
  first.join();
  second.join();
  assert(made.load() == 1);
  delete instance.load();
}
