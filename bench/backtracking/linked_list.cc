// Linked List: two threads build a list together, each with elements of its own.
// program: Linked List
// threads: 2
// bug: assertion: to go to the end of the list and to link an element there is not one critical
//   section, so that two threads link at the same place and an element is lost.
#include <heddle/heddle.h>

#include <array>
#include <atomic>
#include <thread>

constexpr int kBuilders = 2;
constexpr int kElements = 3;  // of each builder

struct Node {
  std::atomic<Node*> next{nullptr};
  int value = 0;
};

class LinkedList {
 public:
  void add_last(Node* node) {
    Node* last = &header_;
    for (Node* next = last->next; next != nullptr; next = last->next) last = next;
    last->next = node;
  }

  bool contains(int value) const {
    for (Node* node = header_.next; node != nullptr; node = node->next) {
      if (node->value == value) return true;
    }
    return false;
  }

  int size() const {
    int count = 0;
    for (Node* node = header_.next; node != nullptr; node = node->next) ++count;
    return count;
  }

 private:
  Node header_;
};

static LinkedList list;
static std::array<std::array<Node, kElements>, kBuilders> nodes;

static void build(int builder) {
  for (int i = 0; i < kElements; ++i) {
    Node& node = nodes[builder][i];
    node.value = builder * kElements + i;
    list.add_last(&node);
  }
  for (const Node& node : nodes[builder]) HEDDLE_ASSERT(list.contains(node.value));
}

int main() {
  std::thread first(build, 0);
  std::thread second(build, 1);
  first.join();
  second.join();
  HEDDLE_ASSERT(list.size() == kBuilders * kElements);
}
