// What a program changes of what it has had since before main: the list of its arguments and their
// words, keys made in a static constructor, with main's value, and deleted in a static destructor.
// Every execution finds them as the first one did.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t one two
// Each adder begins, adds and ends; main joins both, the first one first.
// RUN: %heddle run --preemptions none --json %t.json %t one two
// JSON: j["verdict"] == "passed" and j["executions"] > 20
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

std::atomic<int> destroyed;
void destroy(void* value) { destroyed += *static_cast<int*>(value); }

struct Key {
  Key() {
    assert(pthread_key_create(&key, destroy) == 0);
    assert(pthread_setspecific(key, &mine) == 0);
  }
  ~Key() { assert(pthread_key_delete(key) == 0); }
  pthread_key_t key;
  int mine = 100;
};
Key earlier;

void add(int amount) {
  assert(pthread_getspecific(earlier.key) == nullptr);
  static thread_local int kept = amount;
  assert(pthread_setspecific(earlier.key, &kept) == 0);
  ++destroyed;
}

int main(int count, char** arguments) {
  assert(count == 3 && std::strcmp(arguments[1], "one") == 0);
  assert(std::strcmp(arguments[2], "two") == 0);
  arguments[2][0] = 'x';
  arguments[1] = arguments[2];
  arguments[2] = nullptr;

  assert(pthread_getspecific(earlier.key) == &earlier.mine && earlier.mine == 100);
  assert(pthread_setspecific(earlier.key, nullptr) == 0);
  std::thread first(add, 10), second(add, 20);
  first.join();
  second.join();
  assert(destroyed == 32 && pthread_getspecific(earlier.key) == nullptr);
}
