// An event that one thread sets and another waits for.
// program: lost_event
// bug: deadlock: the waiter looks at the event before it takes the lock that its sleep needs, and
//   the notification comes between.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Event {
 public:
  void set() {
    is_set_ = true;
    std::lock_guard guard(mutex_);
    changed_.notify_all();
  }
  void wait() {
    if (is_set_) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock);
  }

 private:
  std::atomic<bool> is_set_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
};

static Event ready;
static Event done;

int main() {
  std::thread worker([] {
    ready.wait();
    done.set();
  });
  ready.set();
  done.wait();
  worker.join();
}
