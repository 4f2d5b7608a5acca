// A lock made by hand. Helgrind sees neither the lock nor that it orders anything.
#include <atomic>
#include <thread>

class SpinLock {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

static SpinLock lock;
static int counter = 0;

static void count() {
  lock.lock();
  counter = counter + 1;
  lock.unlock();
}

int main() {
  std::thread one(count);
  std::thread other(count);
  one.join();
  other.join();
  return counter == 2 ? 0 : 1;
}
