// Vyukov's SafeStack: a lock-free stack of the numbers of an array's elements. A pop takes the next
// of the head away from everyone else before it moves the head on. The bug is in the algorithm, and
// needs at least three threads and five preemptions: two threads own the same element.
#pragma once

#include <array>
#include <atomic>
#include <thread>
#include <vector>

class SafeStack {
 public:
  static constexpr int kSize = 3;
  static constexpr int kNone = -1;

  SafeStack() {
    for (int i = 0; i < kSize; ++i) next_[i] = i + 1 < kSize ? i + 1 : kNone;
  }
  int pop() {
    while (count_ > 1) {
      int head = head_.load();
      int next = next_[head].exchange(kNone);
      if (next == kNone) continue;
      int expected = head;
      if (head_.compare_exchange_strong(expected, next)) {
        --count_;
        return head;
      }
      next_[head].exchange(next);
    }
    return kNone;
  }
  void push(int element) {
    int head = head_.load();
    do {
      next_[element] = head;
    } while (!head_.compare_exchange_strong(head, element));
    ++count_;
  }

 private:
  std::array<std::atomic<int>, kSize> next_{};
  std::atomic<int> head_{0};
  std::atomic<int> count_{kSize};
};

constexpr int kUsers = 3;
constexpr int kRounds = ROUNDS;
constexpr int kUses = kUsers * kRounds;

// Runs threads that pop an element, use it and push it back.
template <typename Use>
void share(SafeStack& stack, Use use) {
  auto work = [&] {
    for (int i = 0; i < kRounds; ++i) {
      int element = stack.pop();
      while (element == SafeStack::kNone) {
        std::this_thread::yield();
        element = stack.pop();
      }
      use(element);
      stack.push(element);
    }
  };
  std::vector<std::thread> users;
  for (int i = 0; i < kUsers; ++i) users.emplace_back(work);
  for (std::thread& user : users) user.join();
}
