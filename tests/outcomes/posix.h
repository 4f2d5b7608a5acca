// POSIX, Linux and C11: robust mutexes, cancellation, keys, named semaphores, threads.h, futexes
// with bits and requeued.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

#include "prelude.h"

namespace outcomes {

// A thread that may be cancelled.
class Cancellable {
 public:
  explicit Cancellable(std::function<void()> body) : body_(std::move(body)) {
    pthread_create(&handle_, nullptr, run, this);
  }
  void cancel() { pthread_cancel(handle_); }
  // True: it was.
  bool join() {
    void* result = nullptr;
    pthread_join(handle_, &result);
    return result == PTHREAD_CANCELED;
  }

 private:
  static void* run(void* self) {
    static_cast<Cancellable*>(self)->body_();
    return nullptr;
  }

  std::function<void()> body_;
  pthread_t handle_;
};

class RobustMutex {
 public:
  RobustMutex() {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex_, &attributes);
  }
  // 0: locked; 1: locked, its owner has died; 2: not locked, nobody has repaired it.
  int lock() {
    int error = pthread_mutex_lock(&mutex_);
    return error == EOWNERDEAD ? 1 : error == ENOTRECOVERABLE ? 2 : error;
  }
  void repair() { pthread_mutex_consistent(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_;
};

PROGRAM(owner_dies, 2) {
  RobustMutex mutex;
  int x = 0;
  together(
      [&] {
        mutex.lock();
        x = 1;
      },
      [&] {
        r[0] = mutex.lock();
        r[1] = x;
        if (r[0] == 1) mutex.repair();
        mutex.unlock();
      });
}

PROGRAM(owner_dies_for_good, 2) {
  RobustMutex mutex;
  together([&] { mutex.lock(); },
           [&] {
             r[0] = mutex.lock();
             mutex.unlock();
             r[1] = mutex.lock();
             if (r[1] != 2) mutex.unlock();
           });
}

PROGRAM(cancelled_or_not, 3) {
  std::atomic<int> x{0}, cleaned{0};
  Cancellable thread([&] {
    struct Cleaner {
      ~Cleaner() {
        if (!past) *cleaned = 1;
      }
      std::atomic<int>* cleaned;
      bool past = false;
    } cleaner{&cleaned};
    x = 1;
    pthread_testcancel();
    cleaner.past = true;
    x = 2;
  });
  thread.cancel();
  r[0] = thread.join();
  r[1] = x;
  r[2] = cleaned;
}

PROGRAM(cancelled_while_it_waits, 2) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  int x = 0;
  Cancellable thread([&] {
    while (sem_wait(&semaphore) != 0) continue;
    x = 1;
  });
  sem_post(&semaphore);
  thread.cancel();
  r[0] = thread.join();
  r[1] = x;
  sem_destroy(&semaphore);
}

PROGRAM(key_destructor, 2) {
  pthread_key_t key;
  pthread_key_create(&key, [](void* value) { ++*static_cast<std::atomic<int>*>(value); });
  std::atomic<int> destroyed{0};
  std::thread thread([&] { pthread_setspecific(key, &destroyed); });
  r[0] = destroyed;
  thread.join();
  r[1] = destroyed;
  pthread_key_delete(key);
}

PROGRAM(named_semaphore, 3) {
  std::string name = "/heddle-outcomes-" + std::to_string(getpid());
  auto open = [&](int& made) {
    sem_t* semaphore = sem_open(name.c_str(), O_CREAT | O_EXCL, 0600, 0);
    made = semaphore != SEM_FAILED;
    if (made == 0) semaphore = sem_open(name.c_str(), 0);
    sem_post(semaphore);
    return semaphore;
  };
  sem_t *one = nullptr, *two = nullptr;
  together([&] { one = open(r[0]); }, [&] { two = open(r[1]); });
  sem_getvalue(one, &r[2]);
  sem_unlink(name.c_str());
  sem_close(one);
  sem_close(two);
}

PROGRAM(c11_condition, 1) {
  mtx_t mutex;
  cnd_t condition;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  int x = 0;
  together(
      [&] {
        mtx_lock(&mutex);
        x = 1;
        mtx_unlock(&mutex);
        cnd_signal(&condition);
      },
      [&] {
        mtx_lock(&mutex);
        while (x == 0) cnd_wait(&condition, &mutex);
        r[0] = x;
        mtx_unlock(&mutex);
      });
}

PROGRAM(c11_thread, 3) {
  struct Shared {
    mtx_t mutex;
    int x = 0;
  } shared;
  mtx_init(&shared.mutex, mtx_plain);
  thrd_t thread;
  auto body = [](void* argument) {
    auto* shared = static_cast<Shared*>(argument);
    mtx_lock(&shared->mutex);
    int before = shared->x++;
    mtx_unlock(&shared->mutex);
    return before;
  };
  thrd_create(&thread, body, &shared);
  r[0] = mtx_trylock(&shared.mutex) == thrd_success;
  if (r[0] != 0) {
    r[1] = shared.x++;
    mtx_unlock(&shared.mutex);
  }
  thrd_join(thread, &r[2]);
}

long futex(std::atomic<int>& word, int operation, int value, long limit_or_count = 0,
           std::atomic<int>* second = nullptr, int last = 0) {
  return syscall(SYS_futex, &word, operation, value, limit_or_count, second, last);
}

// Woken, or timed out.
bool futex_sleeps(std::atomic<int>& word, int bits) {
  timespec limit;
  clock_gettime(CLOCK_MONOTONIC, &limit);
  limit.tv_nsec += 1'000'000;
  if (limit.tv_nsec >= 1'000'000'000) ++limit.tv_sec, limit.tv_nsec -= 1'000'000'000;
  return futex(word, FUTEX_WAIT_BITSET_PRIVATE, 0, reinterpret_cast<long>(&limit), nullptr, bits) ==
         0;
}

PROGRAM(futex_bits, 3) {
  std::atomic<int> x{0};
  together([&] { r[0] = futex_sleeps(x, 1); }, [&] { r[1] = futex_sleeps(x, 2); },
           [&] {
             long woken = futex(x, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, 0, nullptr, 2);
             r[2] = static_cast<int>(woken);
           });
}

PROGRAM(futex_requeue, 3) {
  std::atomic<int> x{0}, y{0};
  together([&] { r[0] = futex_sleeps(x, -1); },
           [&] {
             r[1] = static_cast<int>(futex(x, FUTEX_CMP_REQUEUE_PRIVATE, 0, 1, &y, 0));
             r[2] = static_cast<int>(futex(y, FUTEX_WAKE_PRIVATE, 1));
           });
}

PROGRAM(select_as_sleep, 2) {
  std::atomic<int> x{0};
  together([&] { x = 1; },
           [&] {
             timeval limit{0, 1000};
             r[0] = select(0, nullptr, nullptr, nullptr, &limit);
             r[1] = x;
           });
}

PROGRAM(notify_at_thread_exit, 2) {
  std::mutex mutex;
  std::condition_variable condition;
  int x = 0;
  std::atomic<int> y{0};
  std::thread thread([&] {
    std::unique_lock lock(mutex);
    x = 1;
    std::notify_all_at_thread_exit(condition, std::move(lock));
    y = 1;
  });
  {
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return x == 1; });
    r[0] = x;
    r[1] = y;
  }
  thread.join();
}

}  // namespace outcomes
