// A sorted list with a lock in each node, which are taken hand over hand.
// program: hand_over_hand
// bug: assertion: an insertion gives the lock of the node before back, before it has taken that of
//   the next, so that two insertions at the same place lose one.
#include <cassert>
#include <mutex>
#include <thread>

struct Node {
  int key;
  Node* next;
  std::mutex mutex;

  Node(int key, Node* next) : key(key), next(next) {}
};

class List {
 public:
  ~List() {
    for (Node* node = head_.next; node != nullptr;) {
      Node* next = node->next;
      delete node;
      node = next;
    }
  }
  void insert(int key) {
    Node* before = &head_;
    Node* after = next_of(before);
    while (after != nullptr && after->key < key) {
      before = after;
      after = next_of(before);
    }
    std::lock_guard guard(before->mutex);
    before->next = new Node(key, after);
  }
  int size() {
    int count = 0;
    for (Node* node = next_of(&head_); node != nullptr; node = next_of(node)) ++count;
    return count;
  }

 private:
  static Node* next_of(Node* node) {
    std::lock_guard guard(node->mutex);
    return node->next;
  }

  Node head_{0, nullptr};
};

static List list;

int main() {
  list.insert(10);
  std::thread first([] { list.insert(20); });
  std::thread second([] { list.insert(30); });
  first.join();
  second.join();
  assert(list.size() == 3);
}
