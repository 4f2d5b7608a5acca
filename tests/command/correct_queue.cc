// A queue with a mutex and a condition: each call of it is like one step, but for the wait.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
 public:
  void push(int value) {
    std::lock_guard guard(mutex_);
    values_.push_back(value);
    not_empty_.notify_one();
  }

  int pop() {
    std::unique_lock lock(mutex_);
    while (values_.empty()) not_empty_.wait(lock);
    int value = values_.front();
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_empty_;
  std::deque<int> values_;
};

int main() {
  Queue queue;
  std::thread producer([&] { queue.push(1); });
  std::thread other([&] { queue.push(2); });
  std::thread consumer([&] { queue.pop(); });
  producer.join();
  other.join();
  consumer.join();
}
