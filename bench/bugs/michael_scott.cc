// A lock-free queue after Michael and Scott, with tags, and nodes that are used again.
// program: michael_scott
// bug: assertion: a dequeue does not look a second time whether the head is still the one whose
//   successor it has read; by then its node may be the queue's last, and the queue looks empty.
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

// A node and how often the pointer to it has changed. Node 0 stands for none.
struct Link {
  uint32_t node = 0;
  uint32_t tag = 0;

  Link to(uint32_t other) const { return {other, tag + 1}; }
};

struct Node {
  std::atomic<int> value{0};
  std::atomic<Link> next{};
};

static std::array<Node, 5> nodes;

class Queue {
 public:
  void enqueue(uint32_t node, int value) {
    nodes[node].value = value;
    nodes[node].next = nodes[node].next.load().to(0);
    while (true) {
      Link tail = tail_.load();
      Link next = nodes[tail.node].next.load();
      if (next.node != 0) {
        tail_.compare_exchange_strong(tail, tail.to(next.node));
      } else if (nodes[tail.node].next.compare_exchange_strong(next, next.to(node))) {
        tail_.compare_exchange_strong(tail, tail.to(node));
        return;
      }
    }
  }
  // Returns the node that is free now, and 0 if the queue is empty.
  uint32_t dequeue(int& value) {
    while (true) {
      Link head = head_.load();
      Link tail = tail_.load();
      Link next = nodes[head.node].next.load();
      if (head.node == tail.node) {
        if (next.node == 0) return 0;
        tail_.compare_exchange_strong(tail, tail.to(next.node));
        continue;
      }
      value = nodes[next.node].value;
      if (head_.compare_exchange_strong(head, head.to(next.node))) return head.node;
    }
  }

 private:
  std::atomic<Link> head_{Link{1, 0}};
  std::atomic<Link> tail_{Link{1, 0}};
};

static Queue queue;

int main() {
  queue.enqueue(2, 20);
  queue.enqueue(3, 30);
  // There are always at least as many values in the queue as there are threads that want one.
  std::thread cycler([] {
    int value = 0;
    uint32_t node = queue.dequeue(value);
    assert(node != 0);
    queue.enqueue(node, 40);
  });
  std::thread taker([] {
    int value = 0;
    assert(queue.dequeue(value) != 0);
    assert(value == 20 || value == 30 || value == 40);
  });
  cycler.join();
  taker.join();
}
