// A barrier that is used again in each round.
// program: barrier_reuse
// bug: assertion: who comes back before all have left the round before is let through.
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kThreads = 3;
constexpr int kRounds = 2;

class Barrier {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    if (++arrived_ == kThreads) all_here_.notify_all();
    while (arrived_ < kThreads) all_here_.wait(lock);
    if (++left_ == kThreads) arrived_ = left_ = 0;
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  int arrived_ = 0;
  int left_ = 0;
};

static Barrier barrier;
static std::array<std::atomic<int>, kRounds> done{};

static void run() {
  for (std::atomic<int>& round : done) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the work
    ++round;
    barrier.wait();
    assert(round == kThreads);
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(run);
  for (std::thread& thread : threads) thread.join();
}
