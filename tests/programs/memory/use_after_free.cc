// A thread goes on with a node that another one has taken and freed. The order is right for the
// race detector, since both go through the same mutex; what is wrong is the time.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json --out %t.out %t
// EXIT: 1
// OUT: use-after-free in T1 at use_after_free.cc:27
// OUT: at offset 4 of a freed block
// OUT: read of 4 bytes by T1
// OUT: use_after_free.cc:27
// OUT: freed by T2
// OUT: use_after_free.cc:35
// OUT: a block of 8 bytes, allocated by main
// OUT: use_after_free.cc:39
// JSON: [w["role"] for w in j["failures"][0]["witnesses"]] == ["read", "freed", "allocated"]
// JSON: [w["thread"] for w in j["failures"][0]["witnesses"]] == ["1", "2", "0"]
// RUN: %heddle replay --times 100 %t.out/*-1.heddle
// EXIT: 1
// RUN: %heddle run --races ignore --isolation fork --json %t.json %t
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "use-after-free"
#include <mutex>
#include <thread>
struct Node {
  int key, value;
};
__attribute__((noinline)) int value_of(const Node* node) { return node->value; }
std::mutex mutex;
Node* shared;
int seen;
__attribute__((noinline)) void take() {
  mutex.lock();
  Node* node = shared;
  shared = nullptr;
  delete node;
  mutex.unlock();
}
int main() {
  shared = new Node{1, 2};
  std::thread reader([] {
    mutex.lock();
    const Node* node = shared;
    mutex.unlock();
    mutex.lock();
    if (node != nullptr) seen = value_of(node);
    mutex.unlock();
  });
  std::thread taker(take);
  reader.join();
  taker.join();
}
