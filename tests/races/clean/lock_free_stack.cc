// No race: push releases the node, pop acquires it. No node is freed while others may look.
#include <atomic>
#include <thread>

struct Node {
  int value;
  Node* next;
};

std::atomic<Node*> top;
Node nodes[2];

void push(Node* node, int value) {
  node->value = value;
  node->next = top.load(std::memory_order_relaxed);
  while (!top.compare_exchange_strong(node->next, node, std::memory_order_release,
                                      std::memory_order_relaxed)) {
  }
}

int pop() {
  Node* node = top.load(std::memory_order_acquire);
  while (node && !top.compare_exchange_strong(node, node->next, std::memory_order_acquire)) {
  }
  return node ? node->value : 0;
}

int main() {
  std::thread pusher([] { push(&nodes[0], 1); });
  push(&nodes[1], 2);
  pop();
  pusher.join();
}
