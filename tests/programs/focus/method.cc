// A bug that depth-first search, and fewer preemptions first, do not come to among the many orders
// of what others do meanwhile, and that --focus-method finds at once, whichever way the functions
// are named, and though the compiler inlines them. With one of the two it takes a little longer.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O2 -g %s -o %t
// RUN: %heddle run --strategy dfs --executions 100000 --json %t.json %t
// JSON: j["verdict"] == "incomplete"
// RUN: %heddle run --strategy best-first --order pb --executions 20000 --json %t.json %t
// JSON: j["verdict"] == "incomplete"
// RUN: %heddle run --focus-method push,Inbox::take_all --executions 300 --json %t.json %t
// EXIT: 1
// JSON: j["strategy"]["order"] == "method,ss,mdpor" and "inbox.take_all() == 3" in j["failures"][0]["message"]
// RUN: %heddle run --focus-method 'Inbox<int>::*' --executions 300 --json %t.json %t
// EXIT: 1
// RUN: %heddle run --strategy best-first --order method --preemptions none --focus-method "mail::Inbox<int>::push, take_all" --executions 300 --json %t.json %t
// EXIT: 1
// RUN: %heddle run --focus-method take_all --executions 20000 --json %t.json %t
// EXIT: 1
// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %heddle run --focus-method push,take_all --executions 300 --json %t.json %t
// EXIT: 1
#include <atomic>
#include <cassert>
#include <thread>
#include <utility>

namespace mail {

template <class T>
class Inbox {
 public:
  ~Inbox() { assert(count(last_.load()) == 0); }

  void push(T item) {
    Node* before = last_.load();
    Node* node = new Node{item, before};
    while (!last_.compare_exchange_weak(before, node)) node->next = before;
  }

  // The bug: what is pushed between the two steps is lost.
  int take_all() {
    Node* all = last_.load();
    if (all != nullptr) last_.store(nullptr);
    return count(all);
  }

 private:
  struct Node {
    T item;
    Node* next;
  };

  static int count(Node* list) {
    int number = 0;
    for (; list != nullptr; ++number) delete std::exchange(list, list->next);
    return number;
  }

  std::atomic<Node*> last_{nullptr};
};

}  // namespace mail

int main() {
  mail::Inbox<int> inbox;
  std::atomic<int> taken{0};
  std::atomic<int> others{0};
  auto work = [&] {
    for (int i = 0; i < 20; ++i) others++;
  };
  std::thread sender([&] {
    for (int i = 0; i < 3; ++i) inbox.push(i);
  });
  std::thread taker([&] {
    for (int i = 0; i < 3; ++i) taken += inbox.take_all();
  });
  std::thread first(work), second(work), third(work);
  for (std::thread* thread : {&sender, &taker, &first, &second, &third}) thread->join();
  assert(taken + inbox.take_all() == 3);
}
