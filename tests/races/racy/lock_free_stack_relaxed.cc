// Races: push does not release the node that pop looks into.
#include <atomic>
#include <chrono>
#include <thread>

struct Node {
  int value;
  Node* next;
};

std::atomic<Node*> top;
Node node;
int seen;

int main() {
  std::thread pusher([] {
    node.value = 1;  // race
    node.next = top.load(std::memory_order_relaxed);
    top.compare_exchange_strong(node.next, &node, std::memory_order_relaxed);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (Node* popped = top.exchange(nullptr, std::memory_order_acquire)) {
    seen = popped->value;  // race
  }
  pusher.join();
}
