// A work-stealing queue without locks: the last item goes to whom the compare-exchange of the head
// goes to. The owner pushes and pops at the tail; a thief steals at the head.
// program: iwsq-pop: -DBUG=1
// program: iwsq-steal: -DBUG=2
// program: iwsq-stale: -DBUG=3
// bug: assertion: an item is taken twice. 1: the owner takes the last item without a
//   compare-exchange; 2: so does a thief; 3: a thief reads the tail before the head.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kItems = 4;
constexpr int kNone = -1;

class WorkStealingQueue {
 public:
  void push(int item) {
    int tail = tail_.load();
    items_[tail % kItems] = item;
    tail_ = tail + 1;
  }
  int pop() {
    int tail = tail_.load() - 1;
    tail_ = tail;
    int head = head_.load();
    if (head > tail) {
      tail_ = head;
      return kNone;
    }
    int item = items_[tail % kItems];
    if (head < tail) return item;
    if (BUG == 1) {
      head_ = head + 1;
    } else if (!head_.compare_exchange_strong(head, head + 1)) {
      item = kNone;
    }
    tail_ = tail + 1;
    return item;
  }
  int steal() {
    int early = tail_.load();
    int head = head_.load();
    int tail = BUG == 3 ? early : tail_.load();
    if (head >= tail) return kNone;
    int item = items_[head % kItems];
    if (BUG == 2) {
      head_ = head + 1;
      return item;
    }
    return head_.compare_exchange_strong(head, head + 1) ? item : kNone;
  }

 private:
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
