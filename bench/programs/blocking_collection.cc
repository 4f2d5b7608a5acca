// A blocking collection of bounded size, as in section 5.4 of the GAMBIT paper: a producer, and
// consumers who count what is in the parcels that they take. It is correct, so that a search of it
// runs to the end. Its arguments: the number of consumers, of parcels, of things in a parcel.
#include <heddle/heddle.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

template <class T>
class BlockingCollection {
 public:
  explicit BlockingCollection(size_t capacity) : capacity_(capacity) {}

  void add(T item) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return items_.size() < capacity_; });
    items_.push_back(std::move(item));
    count_.fetch_add(1);
    has_items_.notify_one();
  }

  void complete_adding() {
    std::lock_guard lock(mutex_);
    complete_.store(true);
    has_items_.notify_all();
  }

  // None once adding is complete and everything has been taken.
  std::optional<T> take() {
    std::unique_lock lock(mutex_);
    has_items_.wait(lock, [&] { return !items_.empty() || complete_.load(); });
    if (items_.empty()) return std::nullopt;
    std::optional<T> item = std::move(items_.front());
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
  std::deque<T> items_;
  std::atomic<int> count_ = 0;
  std::atomic<bool> complete_ = false;
};

using Parcel = std::vector<std::atomic<int>>;

int main(int, char** argv) {
  int consumers = std::atoi(argv[1]);
  int parcel_count = std::atoi(argv[2]);
  int contents = std::atoi(argv[3]);
  BlockingCollection<std::unique_ptr<Parcel>> parcels(5);
  std::atomic<int> sum = 0;
  auto consume = [&] {
    while (std::optional<std::unique_ptr<Parcel>> parcel = parcels.take()) {
      int inside = 1;
      for (const std::atomic<int>& content : **parcel) inside += content.load();
      sum.fetch_add(inside);
    }
  };
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    for (int i = 0; i < parcel_count; ++i) {
      auto parcel = std::make_unique<Parcel>(contents);
      for (std::atomic<int>& content : *parcel) content.store(1);
      parcels.add(std::move(parcel));
    }
    parcels.complete_adding();
  });
  for (int i = 1; i < consumers; ++i) threads.emplace_back(consume);
  consume();
  for (std::thread& thread : threads) thread.join();
  HEDDLE_ASSERT(sum.load() == parcel_count * (contents + 1));
  HEDDLE_ASSERT(parcels.count() == 0);
}
