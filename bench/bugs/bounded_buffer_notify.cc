// A bounded buffer with one condition for both those that wait for an item and those that wait for
// room, and notify_one.
// program: bounded_buffer_notify
// bug: deadlock: a consumer that has made room wakes another consumer, and a producer sleeps on.
// aim: bounded_buffer_notify: 20
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class Buffer {
 public:
  void put(int item) {
    std::unique_lock lock(mutex_);
    while (full_) changed_.wait(lock);
    item_ = item;
    full_ = true;
    changed_.notify_one();
  }
  int get() {
    std::unique_lock lock(mutex_);
    while (!full_) changed_.wait(lock);
    full_ = false;
    changed_.notify_one();
    return item_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int item_ = 0;
  bool full_ = false;
};

static Buffer buffer;

int main() {
  std::thread first_producer([] { buffer.put(1); });
  std::thread second_producer([] { buffer.put(2); });
  int first = 0;
  int second = 0;
  std::thread first_consumer([&] { first = buffer.get(); });
  std::thread second_consumer([&] { second = buffer.get(); });
  first_producer.join();
  second_producer.join();
  first_consumer.join();
  second_consumer.join();
  assert(first + second == 3);
}
