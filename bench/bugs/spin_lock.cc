// A spin-lock that waits by reading until the lock is free.
// program: spin_lock
// bug: assertion: who has waited takes the lock without trying again to be the one who gets it.
#include <atomic>
#include <cassert>
#include <thread>

class SpinLock {
 public:
  void lock() {
    if (!taken_.exchange(true)) return;
    while (taken_) std::this_thread::yield();
    taken_ = true;
  }
  void unlock() { taken_ = false; }

 private:
  std::atomic<bool> taken_{false};
};

static SpinLock lock;
static std::atomic<int> inside{0};

static void run() {
  lock.lock();
  assert(inside.fetch_add(1) == 0);
  --inside;
  lock.unlock();
}

int main() {
  std::thread first(run);
  std::thread second(run);
  std::thread third(run);
  first.join();
  second.join();
  third.join();
}
