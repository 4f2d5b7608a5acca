// A bounded buffer of two items, with a condition for each side.
// program: bounded_buffer_if
// bug: assertion: a consumer that wakes does not look again (an if in the place of a while), and
//   takes what another has taken before it.
// aim: bounded_buffer_if: 20
#include <array>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Buffer {
 public:
  void put(int item) {
    std::unique_lock lock(mutex_);
    while (count_ == kSize) has_room_.wait(lock);
    items_[(first_ + count_++) % kSize] = item;
    has_items_.notify_one();
  }
  int get() {
    std::unique_lock lock(mutex_);
    if (count_ == 0) has_items_.wait(lock);
    assert(count_ > 0);
    int item = items_[first_];
    first_ = (first_ + 1) % kSize;
    --count_;
    has_room_.notify_one();
    return item;
  }

 private:
  static constexpr int kSize = 2;
  std::mutex mutex_;
  std::condition_variable has_items_;
  std::condition_variable has_room_;
  std::array<int, kSize> items_{};
  int first_ = 0;
  int count_ = 0;
};

static Buffer buffer;

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 4; ++i) buffer.put(i);
  });
  int first = 0;
  int second = 0;
  std::thread first_consumer([&] { first = buffer.get() + buffer.get(); });
  std::thread second_consumer([&] { second = buffer.get() + buffer.get(); });
  producer.join();
  first_consumer.join();
  second_consumer.join();
  assert(first + second == 1 + 2 + 3 + 4);
}
