// Where workers sleep that have found nothing to do. Who has made work looks whether anybody
// sleeps, and who is about to sleep looks once more for work: one of the two sees the other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace tasks {

class IdleWorkers {
 public:
  void work_has_come() {
    if (sleepers_.load() == 0) return;
    std::lock_guard lock(mutex_);
    ++calls_;
    called_.notify_one();
  }

  void stop() {
    std::lock_guard lock(mutex_);
    stopped_ = true;
    called_.notify_all();
  }

  // Until there may be work; false if there will be none. `look` says whether it sees any.
  template <class Look>
  bool sleep(Look&& look) {
    std::unique_lock lock(mutex_);
    sleepers_.fetch_add(1);
    long calls = calls_;
    if (!look()) called_.wait(lock, [&] { return stopped_ || calls_ != calls; });
    sleepers_.fetch_sub(1);
    return !stopped_;
  }

 private:
  std::atomic<int> sleepers_ = 0;
  std::mutex mutex_;
  std::condition_variable called_;
  long calls_ = 0;        // under mutex_
  bool stopped_ = false;  // under mutex_
};

}  // namespace tasks
