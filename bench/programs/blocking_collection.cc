// A blocking collection of bounded size, as in section 5.4 of the GAMBIT paper: a producer and
// two consumers, about 200 steps. It is correct, so that a search of it runs to the end.
#include <heddle/heddle.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class BlockingCollection {
 public:
  explicit BlockingCollection(size_t capacity) : capacity_(capacity) {}

  void add(int item) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return items_.size() < capacity_; });
    items_.push_back(item);
    count_.fetch_add(1);
    has_items_.notify_one();
  }

  void complete_adding() {
    std::lock_guard lock(mutex_);
    complete_.store(true);
    has_items_.notify_all();
  }

  // None once adding is complete and everything has been taken.
  std::optional<int> take() {
    std::unique_lock lock(mutex_);
    has_items_.wait(lock, [&] { return !items_.empty() || complete_.load(); });
    if (items_.empty()) return std::nullopt;
    int item = items_.front();
    items_.pop_front();
    count_.fetch_sub(1);
    has_room_.notify_one();
    return item;
  }

  int count() const { return count_.load(); }

 private:
  size_t capacity_;
  std::mutex mutex_;
  std::condition_variable has_room_;
  std::condition_variable has_items_;
  std::deque<int> items_;
  std::atomic<int> count_ = 0;
  std::atomic<bool> complete_ = false;
};

int main() {
  constexpr int kItems = 14;
  BlockingCollection collection(5);
  std::atomic<int> sum = 0;
  auto consume = [&] {
    while (std::optional<int> item = collection.take()) sum.fetch_add(*item);
  };
  std::thread producer([&] {
    for (int i = 1; i <= kItems; ++i) collection.add(i);
    collection.complete_adding();
  });
  std::thread consumer(consume);
  consume();
  producer.join();
  consumer.join();
  HEDDLE_ASSERT(sum.load() == kItems * (kItems + 1) / 2);
  HEDDLE_ASSERT(collection.count() == 0);
}
