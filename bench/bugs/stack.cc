// A stack with a lock.
// program: stack
// bug: assertion: whether there is something is looked at in another critical section than the one
//   that takes it.
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

class Stack {
 public:
  void push(int value) {
    std::lock_guard guard(mutex_);
    assert(top_ < kSize);
    values_[top_++] = value;
  }
  bool is_empty() {
    std::lock_guard guard(mutex_);
    return top_ == 0;
  }
  int pop() {
    std::lock_guard guard(mutex_);
    assert(top_ > 0);
    return values_[--top_];
  }

 private:
  static constexpr int kSize = 8;
  std::mutex mutex_;
  std::array<int, kSize> values_{};
  int top_ = 0;
};

static Stack stack;

static void work(int value) {
  for (int i = 0; i < 3; ++i) {
    stack.push(value);
    if (!stack.is_empty()) stack.pop();
  }
  if (!stack.is_empty()) stack.pop();
}

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  first.join();
  second.join();
  assert(stack.is_empty());
}
