// Producers and a consumer that stops at a sentinel, which the last producer to be done puts.
// program: producer_consumer
// bug: assertion: a producer counts itself as done before it has put its last item, which then
//   comes behind the sentinel.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

constexpr int kSentinel = -1;
constexpr int kItems = 3;

class Queue {
 public:
  void put(int item) {
    std::lock_guard guard(mutex_);
    items_.push_back(item);
    has_items_.notify_one();
  }
  int get() {
    std::unique_lock lock(mutex_);
    has_items_.wait(lock, [&] { return !items_.empty(); });
    int item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable has_items_;
  std::deque<int> items_;
};

static Queue queue;
static std::atomic<int> at_work{2};

static void produce() {
  for (int i = 1; i < kItems; ++i) queue.put(1);
  bool is_last = --at_work == 0;
  queue.put(1);
  if (is_last) queue.put(kSentinel);
}

int main() {
  std::thread first(produce);
  std::thread second(produce);
  int sum = 0;
  for (int item = queue.get(); item != kSentinel; item = queue.get()) sum += item;
  assert(sum == 2 * kItems);
  first.join();
  second.join();
}
