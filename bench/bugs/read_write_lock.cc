// A read-write lock of a flag and a counter.
// program: read_write_lock
// bug: assertion: a reader that has seen no writer counts itself later, and reads while one writes.
#include <atomic>
#include <cassert>
#include <thread>

class ReadWriteLock {
 public:
  void lock_shared() {
    while (writer_) std::this_thread::yield();
    ++readers_;
  }
  void unlock_shared() { --readers_; }
  void lock() {
    while (writer_.exchange(true)) std::this_thread::yield();
    while (readers_ > 0) std::this_thread::yield();
  }
  void unlock() { writer_ = false; }

 private:
  std::atomic<bool> writer_{false};
  std::atomic<int> readers_{0};
};

static ReadWriteLock lock;
static std::atomic<int> x{0};
static std::atomic<int> y{0};

static void look() {
  lock.lock_shared();
  assert(x == y);
  lock.unlock_shared();
}

int main() {
  std::thread first(look);
  std::thread second(look);
  lock.lock();
  ++x;
  ++y;
  lock.unlock();
  first.join();
  second.join();
}
