// A counting semaphore of a mutex and a condition.
// program: semaphore_miscount
// bug: deadlock: only the first of several releases wakes somebody, although two may sleep.
#include <condition_variable>
#include <mutex>
#include <thread>

class Semaphore {
 public:
  void release() {
    std::lock_guard guard(mutex_);
    if (count_++ == 0) available_.notify_one();
  }
  void acquire() {
    std::unique_lock lock(mutex_);
    while (count_ == 0) available_.wait(lock);
    --count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable available_;
  int count_ = 0;
};

static Semaphore semaphore;

int main() {
  std::thread producer([] {
    semaphore.release();
    semaphore.release();
  });
  std::thread first([] { semaphore.acquire(); });
  std::thread second([] { semaphore.acquire(); });
  producer.join();
  first.join();
  second.join();
}
