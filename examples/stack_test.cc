// heddle::check inside an ordinary test: a lock-free stack whose pop reads a node that another
// thread may have taken off. The calling process stays intact, whatever the stack does.
#include <heddle/heddle.h>

#include <atomic>
#include <iostream>
#include <thread>

namespace {

struct Node {
  int value;
  Node* next;
};

class Stack {
 public:
  void push(Node* node) {
    node->next = top_.load();
    while (!top_.compare_exchange_weak(node->next, node)) {
    }
  }

  Node* pop() {
    Node* node = top_.load();
    if (node != nullptr) top_.store(node->next);  // correct: compare_exchange_weak, in a loop
    return node;
  }

 private:
  std::atomic<Node*> top_{nullptr};
};

void two_pops() {
  Stack stack;
  Node first{1, nullptr}, second{2, nullptr};
  stack.push(&first);
  stack.push(&second);
  Node* mine = nullptr;
  Node* theirs = nullptr;
  std::thread other([&] { theirs = stack.pop(); });
  mine = stack.pop();
  other.join();
  HEDDLE_ASSERT(mine != theirs);
}

}  // namespace

int main() {
  heddle::Report report = heddle::check(two_pops, heddle::Options{}.preemptions(2).quiet());
  std::cout << report.text();
  return report.exit_code();
}
