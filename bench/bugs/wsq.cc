// A work-stealing queue with a lock for thieves, and for an owner that gets in their way (the THE
// protocol). The owner pushes and pops at the tail; a thief steals at the head.
// program: wsq-reset: -DBUG=1
// program: wsq-early-head: -DBUG=2
// program: wsq-early-tail: -DBUG=3
// bug: assertion: an item is lost or taken twice. 1: the owner of an empty queue begins anew
//   without the lock; 2: the owner reads the head before it announces that it pops; 3: a thief
//   reads the tail before it announces that it steals.
// aim: wsq-reset: 10
// aim: wsq-early-head: 10
// aim: wsq-early-tail: 10
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

constexpr int kItems = 4;
constexpr int kNone = -1;

class WorkStealingQueue {
 public:
  void push(int item) {
    int tail = tail_.load();
    items_[tail] = item;
    tail_ = tail + 1;
  }
  int pop() {
    int tail = tail_.load() - 1;
    int early = head_.load();
    tail_ = tail;
    int head = BUG == 2 ? early : head_.load();
    if (head <= tail) return items_[tail];
    std::unique_lock lock(mutex_, std::defer_lock);
    if (BUG != 1) lock.lock();
    if (head_.load() <= tail) return items_[tail];
    head_ = 0;
    tail_ = 0;
    return kNone;
  }
  int steal() {
    std::lock_guard guard(mutex_);
    int head = head_.load();
    int early = tail_.load();
    head_ = head + 1;
    int tail = BUG == 3 ? early : tail_.load();
    if (head < tail) return items_[head];
    head_ = head;
    return kNone;
  }

 private:
  std::mutex mutex_;
  std::array<std::atomic<int>, kItems> items_{};
  std::atomic<int> head_{0};
  std::atomic<int> tail_{0};
};

static WorkStealingQueue queue;
static std::array<std::atomic<int>, kItems> taken{};

static void take(int item) {
  if (item != kNone) assert(taken[item].fetch_add(1) == 0);
}

int main() {
  std::thread thief([] {
    take(queue.steal());
    take(queue.steal());
  });
  for (int item = 0; item < kItems; item += 2) {
    queue.push(item);
    queue.push(item + 1);
    take(queue.pop());
  }
  take(queue.pop());
  thief.join();
  for (int i = 0; i < kItems; ++i) take(queue.pop());
  for (const std::atomic<int>& times : taken) assert(times == 1);
}
