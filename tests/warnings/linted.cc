// What compilers and linters say beside what can be used. The reports beside this file are made of
// it.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

struct __attribute__((capability("mutex"))) Mutex {
  void lock() __attribute__((acquire_capability())) { inner.lock(); }
  void unlock() __attribute__((release_capability())) { inner.unlock(); }
  std::mutex inner;
};

static Mutex mutex;
static int value __attribute__((guarded_by(mutex)));

static int needs() __attribute__((requires_capability(mutex)));
static int needs() { return value; }

int calls() { return needs(); }
void keeps() { mutex.lock(); }
void twice() {
  mutex.lock();
  mutex.lock();
  mutex.unlock();
}
void never() { mutex.unlock(); }

int null(int* pointer) {
  if (pointer == nullptr) std::puts("none");
  return *pointer;
}

int unset(int argument) {
  int number;
  if (argument > 3) number = 1;
  return number;
}

void moved() {
  std::string text = "a";
  std::string other = std::move(text);
  std::printf("%zu %zu", text.size(), other.size());
}

int unsafe() { return std::rand(); }
