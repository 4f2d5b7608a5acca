// No race: the holder releases to the next in the queue, which waits at a flag of its own.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> waits{true};
};

Node nodes[2];
std::atomic<Node*> tail;
int counter;

void work(Node& mine) {
  if (Node* before = tail.exchange(&mine, std::memory_order_acq_rel)) {
    before->next.store(&mine, std::memory_order_release);
    before->next.notify_one();
    mine.waits.wait(true, std::memory_order_acquire);
  }
  ++counter;
  Node* expected = &mine;
  if (!tail.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) {
    mine.next.wait(nullptr, std::memory_order_acquire);
    Node* next = mine.next.load(std::memory_order_acquire);
    next->waits.store(false, std::memory_order_release);
    next->waits.notify_one();
  }
}

int main() {
  std::thread other([] { work(nodes[1]); });
  work(nodes[0]);
  other.join();
  assert(counter == 2);
}
