// A mistake this guards against: to free a block was no step, and independent of all that others do
// with what lies in it. A mutex that is locked after its block was freed was then found only if a
// search without reduction came by; one with reduction said passed.
//
// One thread uses an object in a block, the other frees the block: by free, by delete or by a
// realloc that moves it. `late`: they get there only by taking turns, with more preemptions than
// `auto` covers without reduction.
// COMPILERS: gcc
// THOROUGH: clang
// TIMEOUT: 60
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// Synchronisation objects: no access of theirs is one that races.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"use-after-free"}' %heddle -- %t mutex,try,timed,semaphore,value,read,write,condition,once,spin,barrier free soon
// RUN: python3 %S/inputs/searches.py auto,dpor 'kinds == {"use-after-free"}' %heddle -- %t mutex,semaphore,condition,once free late
// RUN: for how in delete realloc; do for object in mutex semaphore; do python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"use-after-free"}' %heddle -- %t $object $how soon; done; python3 %S/inputs/searches.py auto,dpor 'kinds == {"use-after-free"}' %heddle -- %t mutex $how late; done
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"use-after-free"}' %heddle -- %t mutex delete soon
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"use-after-free"}' %heddle -- %t mutex free late
// RUN: python3 %S/inputs/searches.py --check auto,dfs,dpor,orders 'kinds == {"use-after-free"}' %heddle -- %t mutex free soon
// Atomics and plain variables: to free is also a write that races with their use.
// RUN: python3 %S/inputs/searches.py auto,dpor 'kinds == {"data-race"} or kinds == {"use-after-free"}' %heddle -- %t load,store,plain,copy free soon,late
// RUN: python3 %S/inputs/searches.py orders 'kinds == {"data-race"} or kinds == {"use-after-free"}' %heddle -- %t load,plain realloc soon
// Where races are no failures, the use that comes too late is one.
// RUN: python3 %S/inputs/searches.py auto,dpor 'kinds == {"use-after-free"}' %heddle --races explore -- %t mutex,semaphore,once,load,store,plain free late
// RUN: python3 %S/inputs/searches.py auto,dpor 'kinds == {"use-after-free"}' %heddle --races ignore -- %t mutex,read,spin,load,store delete late
// RUN: for races in explore ignore; do python3 %S/inputs/searches.py reduced 'kinds == {"use-after-free"}' %heddle --races $races -- %t load free soon; done
// RUN: python3 %S/inputs/searches.py reduced 'kinds == {"use-after-free"}' %heddle --races explore -- %t plain free soon
// RUN: python3 %S/inputs/searches.py --check auto,dfs,dpor,orders 'kinds == {"use-after-free"}' %heddle --races explore -- %t plain free soon
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <new>
#include <string>
#include <thread>

#include "inputs/subject.h"

struct Block {
  std::atomic<int> number = 0;
  int plain = 0;
  char text[32] = {};
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
  std::once_flag once;
  sem_t semaphore;
  pthread_spinlock_t spin;
  pthread_barrier_t barrier;

  Block() {
    sem_init(&semaphore, 0, 0);
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, nullptr, 1);
  }
};

Block* block;
std::atomic<int> unrelated, x, y;

void use(const std::string& object) {
  if (object == "mutex") {
    pthread_mutex_lock(&block->mutex);
    pthread_mutex_unlock(&block->mutex);
  } else if (object == "try") {
    pthread_mutex_trylock(&block->mutex);
  } else if (object == "timed") {
    timespec never{4'000'000'000, 0};
    pthread_mutex_timedlock(&block->mutex, &never);
  } else if (object == "semaphore") {
    sem_post(&block->semaphore);
  } else if (object == "value") {
    int value;
    sem_getvalue(&block->semaphore, &value);
  } else if (object == "read") {
    pthread_rwlock_rdlock(&block->readers);
    pthread_rwlock_unlock(&block->readers);
  } else if (object == "write") {
    pthread_rwlock_wrlock(&block->readers);
    pthread_rwlock_unlock(&block->readers);
  } else if (object == "condition") {
    pthread_cond_signal(&block->condition);
  } else if (object == "once") {
    std::call_once(block->once, [] {});
  } else if (object == "spin") {
    pthread_spin_lock(&block->spin);
    pthread_spin_unlock(&block->spin);
  } else if (object == "barrier") {
    pthread_barrier_wait(&block->barrier);
  } else if (object == "load") {
    block->number.load(std::memory_order_relaxed);
  } else if (object == "store") {
    block->number.store(1, std::memory_order_relaxed);
  } else if (object == "plain") {
    block->plain = 1;
  } else if (object == "copy") {
    // All of it, by a call: how long it is, is not known to the compiler.
    std::memset(block->text, 1, object.size() * 8);
  }
}

void release(const std::string& how) {
  if (how == "free") free(block);
  if (how == "delete") delete block;
  if (how == "realloc") {
    void* volatile moved = realloc(static_cast<void*>(block), 1 << 20);
    static_cast<void>(moved);
  }
}

void test(const Words& words) {
  const std::string& object = words[0];
  const std::string& how = words[1];
  bool late = words[2] == "late";
  block = how == "delete" ? new Block : new (malloc(sizeof(Block))) Block;
  std::thread user([&] {
    if (late) {
      for (int i = 1; i <= 3; ++i) {
        if (x != i) return;
        y = i;
      }
    }
    use(object);
  });
  std::thread owner([&] {
    unrelated = 1;
    if (late) {
      x = 1;
      for (int i = 1; i <= 3; ++i) {
        if (y != i) return;
        if (i < 3) x = i + 1;
      }
    }
    release(how);
  });
  user.join();
  owner.join();
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
