// A read-write lock that lets a reader become the writer without giving the lock back.
// program: lock_upgrade
// bug: deadlock: two readers that want to write wait for each other to stop reading.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class UpgradeLock {
 public:
  void lock_shared() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !writing_; });
    ++readers_;
  }
  void unlock_shared() {
    std::lock_guard guard(mutex_);
    --readers_;
    changed_.notify_all();
  }
  void upgrade() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return readers_ == 1; });
    readers_ = 0;
    writing_ = true;
  }
  void unlock() {
    std::lock_guard guard(mutex_);
    writing_ = false;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int readers_ = 0;
  bool writing_ = false;
};

static UpgradeLock lock;
static int value = 0;

static void raise() {
  lock.lock_shared();
  if (value >= 2) return lock.unlock_shared();
  lock.upgrade();
  ++value;
  lock.unlock();
}

int main() {
  std::thread first(raise);
  std::thread second(raise);
  first.join();
  second.join();
  assert(value == 2);
}
