// A queue whose two ends have locks of their own.
// program: queue
// bug: assertion: both ends change the number of items, each under its own lock.
// options: --races explore
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

class Queue {
 public:
  void put(int value) {
    std::lock_guard guard(put_lock_);
    values_[end_++ % kSize] = value;
    ++count_;
  }
  bool get(int& value) {
    std::lock_guard guard(get_lock_);
    if (count_ == 0) return false;
    value = values_[begin_++ % kSize];
    --count_;
    return true;
  }
  int count() const { return count_; }

 private:
  static constexpr unsigned kSize = 8;
  std::mutex put_lock_;
  std::mutex get_lock_;
  std::array<int, kSize> values_{};
  unsigned begin_ = 0;
  unsigned end_ = 0;
  int count_ = 0;
};

static Queue queue;

int main() {
  int got = 0;
  std::thread reader([&] {
    int value = 0;
    for (int i = 0; i < 3; ++i) got += queue.get(value) ? 1 : 0;
  });
  std::thread writer([] {
    for (int i = 0; i < 3; ++i) queue.put(i);
  });
  reader.join();
  writer.join();
  assert(queue.count() == 3 - got);
}
