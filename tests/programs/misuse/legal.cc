// What looks like misuse and is none: objects that are made anew in the memory of destroyed ones,
// and objects destroyed as soon as the standard permits it, while others have yet to return.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 1
// RUN: %heddle run --isolation fork --preemptions 1 --json %t.json %t
// JSON: j["verdict"] == "passed"
#include <pthread.h>
#include <semaphore.h>

#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>

void use(pthread_mutex_t* m) {
  assert(pthread_mutex_lock(m) == 0);
  assert(pthread_mutex_unlock(m) == 0);
}
void use(pthread_rwlock_t* lock) {
  assert(pthread_rwlock_rdlock(lock) == 0);
  assert(pthread_rwlock_rdlock(lock) == 0);
  assert(pthread_rwlock_unlock(lock) == 0);
  assert(pthread_rwlock_unlock(lock) == 0);
  assert(pthread_rwlock_wrlock(lock) == 0);
  assert(pthread_rwlock_unlock(lock) == 0);
}

// Initialised, assigned, zeroed: alive again.
void made_anew() {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  use(&m);
  pthread_mutex_destroy(&m);
  pthread_mutex_init(&m, nullptr);
  use(&m);
  pthread_mutex_destroy(&m);
  m = PTHREAD_MUTEX_INITIALIZER;
  use(&m);
  pthread_mutex_destroy(&m);
  std::memset(&m, 0, sizeof m);
  use(&m);

  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  pthread_cond_destroy(&c);
  c = PTHREAD_COND_INITIALIZER;
  assert(pthread_cond_signal(&c) == 0);
  pthread_cond_destroy(&c);
  pthread_cond_init(&c, nullptr);
  assert(pthread_cond_broadcast(&c) == 0);

  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  use(&lock);
  pthread_rwlock_destroy(&lock);
  pthread_rwlock_init(&lock, nullptr);
  use(&lock);
  pthread_rwlock_destroy(&lock);
  lock = PTHREAD_RWLOCK_INITIALIZER;
  use(&lock);

  sem_t s;
  std::memset(&s, 0xff, sizeof s);
  for (int i = 0; i < 2; ++i) {
    assert(sem_init(&s, 0, 1) == 0 && sem_wait(&s) == 0 && sem_destroy(&s) == 0);
  }
  pthread_barrier_t b;
  pthread_spinlock_t spin;
  for (int i = 0; i < 2; ++i) {
    pthread_barrier_init(&b, nullptr, 1);
    assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_barrier_destroy(&b) == 0);
    pthread_spin_init(&spin, 0);
    assert(pthread_spin_lock(&spin) == 0 && pthread_spin_unlock(&spin) == 0);
    assert(pthread_spin_destroy(&spin) == 0);
  }
}

// The same bytes of the heap, first a destroyed object, then a new one.
void memory_reused() {
  for (int i = 0; i < 2; ++i) {
    auto* m = static_cast<pthread_mutex_t*>(std::malloc(sizeof(pthread_mutex_t)));
    pthread_mutex_init(m, nullptr);
    pthread_mutex_destroy(m);
    std::free(m);
    auto* cxx = new (std::malloc(sizeof(std::mutex))) std::mutex;
    cxx->lock();
    cxx->unlock();
    std::free(cxx);
    auto* c = new std::condition_variable;
    c->notify_one();
    delete c;
    auto* lock = new pthread_rwlock_t(PTHREAD_RWLOCK_INITIALIZER);
    use(lock);
    pthread_rwlock_destroy(lock);
    delete lock;
  }
}

// Whoever lets go last destroys the mutex; the other may still be about to return from its unlock.
struct Counted {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int users = 2;
};
void let_go(Counted* counted) {
  pthread_mutex_lock(&counted->mutex);
  bool last = --counted->users == 0;
  pthread_mutex_unlock(&counted->mutex);
  if (!last) return;
  pthread_mutex_destroy(&counted->mutex);
  delete counted;
}
void last_one_destroys() {
  auto* counted = new Counted;
  std::thread other(let_go, counted);
  let_go(counted);
  other.join();
}

// A woken waiter needs its mutex only: the condition may go.
void destroyed_after_broadcast() {
  std::mutex mutex;
  auto* changed = new std::condition_variable;
  bool waits = false, done = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    waits = true;
    while (!done) changed->wait(lock);
  });
  {
    std::scoped_lock lock(mutex);
    done = true;
    if (waits) {
      changed->notify_all();
      delete changed;
      changed = nullptr;
    }
  }
  waiter.join();
  delete changed;
}

// The first to come out of the barrier destroys it; so does whom a semaphore has let through.
void destroyed_by_the_first() {
  auto* barrier = new pthread_barrier_t;
  pthread_barrier_init(barrier, nullptr, 2);
  auto pass = [barrier] {
    if (pthread_barrier_wait(barrier) != PTHREAD_BARRIER_SERIAL_THREAD) return;
    pthread_barrier_destroy(barrier);
    delete barrier;
  };
  std::thread other(pass);
  pass();
  other.join();

  auto* semaphore = new sem_t;
  sem_init(semaphore, 0, 0);
  std::thread poster([semaphore] { sem_post(semaphore); });
  sem_wait(semaphore);
  sem_destroy(semaphore);
  delete semaphore;
  poster.join();
}

// More locks for reading than a thread is known to hold: no word about them.
void many_readers() {
  std::shared_mutex locks[12];
  for (auto& lock : locks) lock.lock_shared();
  for (auto& lock : locks) lock.unlock_shared();
  for (auto& lock : locks) lock.lock(), lock.unlock();
}

int main() {
  made_anew();
  memory_reused();
  many_readers();
  last_one_destroys();
  destroyed_after_broadcast();
  destroyed_by_the_first();
}
