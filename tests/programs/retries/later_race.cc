// A mistake this guards against: a round that was left out had read a node of the list, and another
// thread, which took the node in that round, writes to it once it knows that the first has got on;
// but it knows by a relaxed load, which orders nothing. Only an execution in which that round
// counts has the race, and the search said `passed`. So it is with a block that is freed, and where
// another operation tells without ordering.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --reduce dpor --retries last %t relaxed
// EXIT: 1
// OUT: data-race
// RUN: %heddle run --strategy dfs --reduce dpor --retries last --jobs 2 %t relaxed
// EXIT: 1
// OUT: data-race
// RUN: %heddle run --strategy dfs --reduce dpor --retries last %t free
// EXIT: 1
// RUN: %heddle run --strategy dfs --reduce dpor --retries last %t try
// EXIT: 1
// OUT: data-race
// Where everything orders, rounds are left out as before, and nothing races.
// RUN: %heddle run --json %t.json --strategy dfs --reduce dpor --retries last %t ordered
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --json %t.all.json --strategy dfs --reduce dpor %t ordered
// JSON: j["verdict"] == "passed"
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

struct Node {
  Node* next;
};

static std::atomic<Node*> head;
static std::atomic<int> done;
static std::mutex lock;

static Node* pop() {
  Node* node = head.load();
  while (node != nullptr && !head.compare_exchange_strong(node, node->next)) {
  }
  return node;
}

int main(int, char** arguments) {
  bool is_relaxed = std::strcmp(arguments[1], "ordered") != 0;
  bool frees = std::strcmp(arguments[1], "free") == 0;
  bool tries = std::strcmp(arguments[1], "try") == 0;
  Node* first = new Node{new Node{nullptr}};
  head = first;
  std::thread one([=] {
    pop();
    if (tries) {
      lock.lock();  // for good
    } else {
      done.store(1, is_relaxed ? std::memory_order_relaxed : std::memory_order_seq_cst);
    }
  });
  std::thread other([=] {
    if (pop() != first) return;
    bool is_done = false;
    if (tries) {
      is_done = !lock.try_lock();
      if (!is_done) lock.unlock();
    } else {
      is_done = done.load(is_relaxed ? std::memory_order_relaxed : std::memory_order_seq_cst) == 1;
    }
    if (is_done && frees) delete first;
    if (is_done && !frees) first->next = nullptr;
  });
  one.join();
  other.join();
  return 0;
}
