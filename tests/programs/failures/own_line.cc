// Faults inside of Heddle's hooks, of libc and of the standard library are told at the program's
// own line, and two lines are two failures.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t atomic
// EXIT: 1
// OUT: FAILED  crash in main at own_line.cc:57
// NOT: atomics\.cc|libc\.so
// JSON: j["failures"][0]["location"] == "own_line.cc:57"
// RUN: %heddle run --json %t.json %t mutex
// EXIT: 1
// OUT: FAILED  crash in main at own_line.cc:58
// NOT: mutex\.h
// RUN: %heddle run --json %t.json %t condition
// EXIT: 1
// OUT: FAILED  crash in main at own_line.cc:59
// RUN: %heddle run --json %t.json %t copy
// EXIT: 1
// OUT: FAILED  crash in main at own_line.cc:60
// RUN: %heddle run --json %t.json %t length
// EXIT: 1
// OUT: FAILED  crash in main at own_line.cc:61
// RUN: %heddle run --json %t.json %t number
// EXIT: 1
// OUT: FAILED  crash in main at own_line.cc:62
// OUT: in (atoi|strtol)
// RUN: %heddle run --json %t.json %t sort
// EXIT: 1
// OUT: FAILED  crash in main at own_line.cc:64
// NOT: stl_algo
// Two lines that crash in the same instruction of libc.
// RUN: %heddle run --keep-going --json %t.json %t either
// EXIT: 1
// JSON: sorted(f["location"] for f in j["failures"]) == ["own_line.cc:72", "own_line.cc:75"]
// RUN: %heddle run --hang-after 0.5 --json %t.json %t spin
// EXIT: 1
// OUT: FAILED  hang in main at own_line.cc:84
// NOT: memory\.cc
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

struct All {
  int first;
  std::atomic<int> number;
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  char text[8];
};
All* volatile nothing;
void atomic() { nothing->number.store(1); }
void mutex() { pthread_mutex_unlock(&nothing->mutex); }
void condition() { pthread_cond_broadcast(&nothing->condition); }
void copy() { memcpy(nothing->text, "1234567", static_cast<size_t>(nothing == nullptr) * 8); }
size_t length() { return strlen(nothing->text); }
int number() { return atoi(nothing->text); }
bool sorted(std::vector<int>* v) {
  return std::sort(v->begin(), v->end(), [](int a, int) { return a < nothing->first; }), true;
}

std::atomic<int> turn;
int either() {
  std::thread other([] { turn = 1; });
  int result = 0;
  if (turn == 0) {
    result = atoi(nothing->text);
    __asm__ volatile("# one");  // compilers would join the two
  } else {
    result = atoi(nothing->text + 1);
    __asm__ volatile("# two");
  }
  other.join();
  return result;
}

int plain;
void spin() {
  while (*const_cast<int*>(&plain) < 1) __asm__("" ::: "memory");
}

int main(int, char** argv) {
  std::string what = argv[1];
  std::vector<int> some{3, 2, 1};
  if (what == "atomic") atomic();
  if (what == "mutex") mutex();
  if (what == "condition") condition();
  if (what == "copy") copy();
  if (what == "length") return static_cast<int>(length());
  if (what == "number") return number();
  if (what == "sort") return sorted(&some);
  if (what == "either") return either();
  if (what == "spin") spin();
}
