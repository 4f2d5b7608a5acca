// A queue of one place whose push and pop wait on the same condition: notify_one may wake the wrong
// side, and then everybody waits. Needs two producers and two consumers.
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

class Slot {
 public:
  void push(int value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !value_; });
    value_ = value;
    changed_.notify_one();  // correct: notify_all, or a condition for each side
  }

  int pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return value_.has_value(); });
    int value = *value_;
    value_.reset();
    changed_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> value_;
};

int main() {
  Slot slot;
  std::thread producer1([&] { slot.push(1); });
  std::thread producer2([&] { slot.push(2); });
  std::thread consumer1([&] { slot.pop(); });
  std::thread consumer2([&] { slot.pop(); });
  producer1.join();
  producer2.join();
  consumer1.join();
  consumer2.join();
}
