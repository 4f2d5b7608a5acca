// Mistakes these guard against, each of which lost classes of executions to reduction:
// - `cancel`: a wait that a request to cancel ends, and that could have gone on;
// - `closed`: a descriptor that another thread has closed was none any more, and its use no step;
// - `freed`: where a use after free is found first, the free was no step in the other order,
// either;
// - `resized`: a realloc that leaves the block where it is was no step for who frees it later;
// - `copied`: what memcpy reads was read at its first step, and copied after its second;
// - `exchange`: a compare-exchange that fails behind a store does not depend on loads of other
// bytes
//   than the store's; one that comes first, and succeeds, does.
// Plain depth-first search says how many classes there are.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py dpor,variants,orders 'j["distinct"] == dfs["distinct"] and verdict == dfs["verdict"]' %heddle --races ignore --keep-going -- %t cancel,closed,freed,resized
// RUN: python3 %S/inputs/searches.py dpor,orders 'j["distinct"] == dfs["distinct"]' %heddle --races ignore --accesses all --keep-going -- %t copied
// With N loads: if the store is first, 1 class. Else each load is before the exchange or after it:
// 2^N + 1.
// RUN: python3 %S/inputs/searches.py dfs,dpor,variants,orders 'j["distinct"] == 3' %heddle --races ignore -- %t exchange 1
// RUN: python3 %S/inputs/searches.py --check dpor,orders 'j["distinct"] == 3' %heddle --races ignore -- %t exchange 1
// RUN: for numbers in '2 5' '3 9' '4 17'; do set -- $numbers; python3 %S/inputs/searches.py dpor,orders "j['distinct'] == $2" %heddle --races ignore -- %t exchange $1; done
// The load comes into an execution later than the exchange that failed, by another race: nobody
// waits for its thread. With the exchange first there are 2 classes without the load (its thread
// has begun or not), 2 with the load before the exchange and 2 with it after that (its thread has
// ended or not); with the store first the load has no order with the exchange: 4.
// RUN: python3 %S/inputs/searches.py dfs,dpor,orders 'j["distinct"] == 10' %heddle --races ignore -- %t unwaited
// Whether a request to cancel came before the wait on a condition, or during it, decides who holds
// the mutex then, and what becomes of its unlock by main. One class stood for both failures. Each
// of the 15 schedules is a class of its own: the request depends on all steps of the other thread,
// and so does the last step of an execution that fails.
// RUN: python3 %S/inputs/searches.py dfs,dpor,orders 'len(j["failures"]) == 2 and j["executions"] == j["distinct"] == 15' %heddle --races ignore --keep-going -- %t asked
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "inputs/subject.h"

void* nothing(void* unused) { return unused; }

void* joins(void* unused) {
  pthread_t child;
  pthread_create(&child, nullptr, nothing, nullptr);
  pthread_join(child, nullptr);
  return unused;
}

void cancel() {
  pthread_t thread;
  pthread_create(&thread, nullptr, joins, nullptr);
  pthread_cancel(thread);
}

void closed() {
  static int ends[2];
  if (pipe(ends) != 0) return;
  std::thread closer([] { close(ends[1]); });
  char byte = 1;
  static_cast<void>(!write(ends[1], &byte, 1));  // or it is closed already
  closer.join();
}

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

void* waits(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
  return unused;
}

void asked() {
  pthread_t thread;
  pthread_create(&thread, nullptr, waits, nullptr);
  pthread_cancel(thread);
  pthread_detach(thread);
  pthread_mutex_unlock(&mutex);
}

// Nobody waits for the one who posts.
void freed() {
  static std::atomic<sem_t*> shared;
  auto* semaphore = static_cast<sem_t*>(malloc(sizeof(sem_t)));
  sem_init(semaphore, 0, 0);
  shared = semaphore;
  std::thread([] { sem_post(shared.load()); }).detach();
  free(shared.load());
}

// The other thread frees before the increment, or the realloc, or after both.
void resized() {
  static std::atomic<std::atomic<int>*> shared;
  void* block = malloc(sizeof(std::atomic<int>));
  auto* counter = new (block) std::atomic<int>(0);
  shared = counter;
  std::thread other([] { free(shared.load()); });
  counter->fetch_add(1);
  static_cast<void>(!realloc(block, sizeof(std::atomic<int>)));
  other.join();
}

void copied() {
  static char buffer[32];
  std::thread other([] { memset(buffer + 4, 7, 2); });
  memcpy(buffer + 16, buffer, 8);
  other.join();
}

void exchange(int loads) {
  alignas(4) static char bytes[4];
  std::vector<std::thread> threads;
  threads.emplace_back([] {
    uint32_t expected = 0;
    __atomic_compare_exchange_n(reinterpret_cast<uint32_t*>(bytes), &expected, 1, false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  });
  threads.emplace_back([] { __atomic_store_n(&bytes[2], 1, __ATOMIC_SEQ_CST); });
  for (int i = 0; i < loads; ++i) {
    threads.emplace_back([] { static_cast<void>(__atomic_load_n(&bytes[1], __ATOMIC_SEQ_CST)); });
  }
  for (std::thread& thread : threads) thread.join();
}

alignas(8) char parts[8];

void* loads(void* unused) {
  static_cast<void>(__atomic_load_n(&parts[5], __ATOMIC_SEQ_CST));
  return unused;
}

void* stores(void* unused) {
  pthread_t other;
  pthread_create(&other, nullptr, loads, nullptr);
  __atomic_store_n(reinterpret_cast<uint32_t*>(parts), 1, __ATOMIC_SEQ_CST);
  return unused;
}

void unwaited() {
  pthread_t thread;
  pthread_create(&thread, nullptr, stores, nullptr);
  uint64_t expected = 0;
  __atomic_compare_exchange_n(reinterpret_cast<uint64_t*>(parts), &expected, 1, false,
                              __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  pthread_join(thread, nullptr);
}

int main(int argc, char** argv) {
  return search_or_run(argc, argv, [](const Words& words) {
    if (words[0] == "cancel") cancel();
    if (words[0] == "closed") closed();
    if (words[0] == "freed") freed();
    if (words[0] == "resized") resized();
    if (words[0] == "copied") copied();
    if (words[0] == "asked") asked();
    if (words[0] == "unwaited") unwaited();
    if (words[0] == "exchange") exchange(std::stoi(words[1]));
  });
}
