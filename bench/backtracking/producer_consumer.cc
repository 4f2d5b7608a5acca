// Producer Consumer: four producers and three consumers share a bounded buffer.
// program: Producer Consumer
// threads: 7
// bug: exception: a consumer that has waited until there is something takes it in another critical
//   section, and another consumer may have been quicker.
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

constexpr int kProducers = 4;
constexpr int kConsumers = 3;
constexpr int kItems = 12;  // of all producers, and of all consumers

class BoundedBuffer {
 public:
  void put(int item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ < kSize; });
    items_[(first_ + count_) % kSize] = item;
    ++count_;
    changed_.notify_all();
  }

  int get() {
    wait_for_item();
    return take();
  }

 private:
  static constexpr int kSize = 3;

  void wait_for_item() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ > 0; });
  }

  int take() {
    std::lock_guard guard(mutex_);
    if (count_ == 0) throw std::underflow_error("the buffer is empty");
    int item = items_[first_];
    first_ = (first_ + 1) % kSize;
    --count_;
    changed_.notify_all();
    return item;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<int, kSize> items_{};
  int first_ = 0;
  int count_ = 0;
};

static BoundedBuffer buffer;
static std::atomic<int> sum{0};

static void produce(int first) {
  for (int i = 0; i < kItems / kProducers; ++i) buffer.put(first + i);
}

static void consume() {
  for (int i = 0; i < kItems / kConsumers; ++i) sum += buffer.get();
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kProducers; ++i) threads.emplace_back(produce, i * kItems / kProducers);
  for (int i = 0; i < kConsumers; ++i) threads.emplace_back(consume);
  for (std::thread& thread : threads) thread.join();
  if (sum != kItems * (kItems - 1) / 2) throw std::logic_error("an item is lost");
}
