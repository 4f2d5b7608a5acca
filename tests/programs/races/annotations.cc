// Orders that only an annotation tells of, as code for ThreadSanitizer has them.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t acquire
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --json %t.json %t happens
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --json %t.json %t mutex
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --json %t.json %t nothing
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race"
// RUN: %heddle run --json %t.json %t readers
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race"
#include <atomic>
#include <string>
#include <thread>
extern "C" {
void __tsan_acquire(void*);
void __tsan_release(void*);
void AnnotateHappensBefore(const char*, int, const volatile void*);
void AnnotateHappensAfter(const char*, int, const volatile void*);
void __tsan_mutex_post_lock(void*, unsigned, int);
int __tsan_mutex_pre_unlock(void*, unsigned);
}
std::atomic<int> turn;  // relaxed: it gives no order itself
int data, token;
int main(int, char** arguments) {
  std::string how = arguments[1];
  std::thread writer([&] {
    data = 1;
    if (how == "acquire") __tsan_release(&token);
    if (how == "happens") AnnotateHappensBefore(__FILE__, __LINE__, &token);
    if (how == "mutex") __tsan_mutex_pre_unlock(&token, 0);
    if (how == "readers") __tsan_mutex_pre_unlock(&token, 8);
    turn.store(1, std::memory_order_relaxed);
  });
  std::thread reader([&] {
    if (turn.load(std::memory_order_relaxed) != 1) return;
    if (how == "acquire") __tsan_acquire(&token);
    if (how == "happens") AnnotateHappensAfter(__FILE__, __LINE__, &token);
    if (how == "mutex") __tsan_mutex_post_lock(&token, 0, 1);
    if (how == "readers") __tsan_mutex_post_lock(&token, 8, 1);
    data = 2;
  });
  writer.join();
  reader.join();
}
