// The other side of freed_in_use.cc: blocks that are freed when nobody uses them any more. No
// search may complain.
// COMPILERS: gcc
// THOROUGH: clang
// TIMEOUT: 60
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor,orders 'verdict == "passed"' %heddle -- %t join,count,flag,barrier,moved,again,handed
// RUN: for what in count flag again; do python3 %S/inputs/searches.py variants 'verdict == "passed"' %heddle -- %t $what; python3 %S/inputs/searches.py --check auto,dfs,dpor,orders 'verdict == "passed"' %heddle -- %t $what; done
// RUN: for what in join count flag barrier again handed; do python3 %S/inputs/searches.py auto,dpor 'verdict == "passed"' %heddle --races explore -- %t $what; python3 %S/inputs/searches.py dpor 'verdict == "passed"' %heddle --races ignore -- %t $what; done
// RUN: python3 %S/inputs/searches.py auto,dpor 'verdict == "passed"' %heddle --leaks -- %t join,count,flag
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>
#include <thread>

#include "inputs/subject.h"

struct Block {
  std::mutex mutex;
  std::atomic<int> owners = 2;
  bool done = false;
  int sum = 0;
};

// main frees what it has waited for.
void after_join() {
  Block* block = new Block;
  std::thread other([&] {
    std::lock_guard lock(block->mutex);
    ++block->sum;
  });
  other.join();
  HEDDLE_ASSERT(block->sum == 1);
  delete block;
}

// The last owner frees.
void by_count() {
  Block* block = new Block;
  auto owner = [block] {
    {
      std::lock_guard lock(block->mutex);
      ++block->sum;
    }
    if (block->owners.fetch_sub(1) == 1) {
      HEDDLE_ASSERT(block->sum == 2);
      delete block;
    }
  };
  std::thread one(owner);
  std::thread two(owner);
  one.join();
  two.join();
}

// Whoever comes second knows by the flag that the other has unlocked, and will not come back.
void by_flag() {
  Block* block = new Block;
  auto visitor = [block] {
    block->mutex.lock();
    bool second = block->done;
    block->done = true;
    block->mutex.unlock();
    if (second) delete block;
  };
  std::thread one(visitor);
  std::thread two(visitor);
  one.join();
  two.join();
}

// All have met at the barrier, and main has joined them before it destroys it.
void after_barrier() {
  auto* barrier = static_cast<pthread_barrier_t*>(malloc(sizeof(pthread_barrier_t)));
  pthread_barrier_init(barrier, nullptr, 2);
  std::thread one([&] { pthread_barrier_wait(barrier); });
  std::thread two([&] { pthread_barrier_wait(barrier); });
  one.join();
  two.join();
  pthread_barrier_destroy(barrier);
  free(barrier);
}

// A block that grows while its owner has the lock; the lock lies elsewhere.
void moved_under_lock() {
  static std::mutex mutex;
  static int* numbers;
  numbers = static_cast<int*>(calloc(1, sizeof(int)));
  auto grow = [](int bytes) {
    std::lock_guard lock(mutex);
    numbers = static_cast<int*>(realloc(numbers, bytes));
    ++numbers[0];
  };
  std::thread one(grow, 4000);
  std::thread two(grow, 8000);
  one.join();
  two.join();
  HEDDLE_ASSERT(numbers[0] == 2);
  free(numbers);
}

// Each thread has blocks of its own, and gets memory that was another's before.
void used_again() {
  auto user = [] {
    for (int i = 0; i < 2; ++i) {
      Block* mine = new Block;
      mine->mutex.lock();
      mine->mutex.unlock();
      mine->owners.store(1);
      delete mine;
    }
  };
  std::thread one(user);
  std::thread two(user);
  one.join();
  two.join();
}

// Made by one thread, given to the other, and freed there.
void handed_over() {
  static std::atomic<Block*> slot;
  slot = nullptr;
  std::thread maker([] {
    Block* block = new Block;
    block->sum = 7;
    block->mutex.lock();
    block->mutex.unlock();
    slot.store(block, std::memory_order_release);
  });
  std::thread taker([] {
    if (Block* block = slot.exchange(nullptr, std::memory_order_acquire)) {
      block->mutex.lock();
      HEDDLE_ASSERT(block->sum == 7);
      block->mutex.unlock();
      delete block;
    }
  });
  maker.join();
  taker.join();
}

void test(const Words& words) {
  const std::string& what = words[0];
  if (what == "join") after_join();
  if (what == "count") by_count();
  if (what == "flag") by_flag();
  if (what == "barrier") after_barrier();
  if (what == "moved") moved_under_lock();
  if (what == "again") used_again();
  if (what == "handed") handed_over();
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
