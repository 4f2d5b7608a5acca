// A lock-free stack after Treiber; what is popped belongs to the thread until it pushes it back.
// program: treiber_aba
// bug: assertion: without tags, a head that was popped and pushed again looks as if nothing had
//   changed (ABA), and a node that somebody owns gets onto the stack.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kNodes = 3;
constexpr int kNone = -1;

class Stack {
 public:
  Stack() {
    for (int i = 0; i < kNodes; ++i) next_[i] = i + 1 < kNodes ? i + 1 : kNone;
  }
  int pop() {
    int head = head_.load();
    while (head != kNone && !head_.compare_exchange_strong(head, next_[head].load())) {
    }
    return head;
  }
  void push(int node) {
    int head = head_.load();
    do {
      next_[node] = head;
    } while (!head_.compare_exchange_strong(head, node));
  }

 private:
  std::array<std::atomic<int>, kNodes> next_{};
  std::atomic<int> head_{0};
};

static Stack stack;
static std::array<std::atomic<int>, kNodes> owners{};

static int take() {
  int node = stack.pop();
  if (node != kNone) assert(owners[node].fetch_add(1) == 0);
  return node;
}

static void give(int node) {
  if (node == kNone) return;
  --owners[node];
  stack.push(node);
}

static void work() {
  int first = take();
  int second = take();
  give(first);
  give(second);
}

int main() {
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
}
