// Everything that a program can change in its own memory is as new in every execution: first to
// hundred-thousandth.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// OUT: seven 7
// RUN: %heddle run --strategy random --executions 100000 --json %t.json %t
// JSON: j["executions"] == 100000 and j["failures"] == [] and j["verdict"] == "incomplete"
// RUN: %heddle run --isolation fork --executions 50 --json %t.json %t
// JSON: j["failures"] == []
// RUN: %heddle run --isolation none --executions 50 --json %t.json %t
// EXIT: 3
// OUT: NOT REPEATABLE
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

int global = 5;
std::map<int, std::string> map;
std::string text = "made before main";
std::vector<int> numbers(100, 1);
std::once_flag flag;
int calls;

struct Counted {
  static std::atomic<int> constructed, destroyed;
  Counted() { ++constructed; }
  ~Counted() { ++destroyed; }
  int uses = 0;
};
std::atomic<int> Counted::constructed, Counted::destroyed;
thread_local Counted per_thread;
thread_local int plain = 3;
std::mutex mutex;

int& function_static() {
  static int value = [] { return 7; }();
  return value;
}

void change(int number) {
  std::lock_guard lock(mutex);
  assert(++per_thread.uses == 1 && plain++ == 3);
  map[number] = text + std::to_string(number);
  ++global;
  ++function_static();
  numbers.push_back(number);
  std::call_once(flag, [] { ++calls; });
  try {
    throw std::runtime_error("x");
  } catch (const std::exception& error) {
    text += error.what();
  }
}

int main() {
  assert(global == 5 && map.empty() && text == "made before main" && numbers.size() == 100 &&
         calls == 0);
  assert(Counted::constructed == 0 && plain == 3);
  std::cout << "seven " << function_static() << std::endl;
  assert(function_static() == 7);
  assert(std::rand() == 1804289383);  // glibc's first without a seed
  std::thread first(change, 1), second(change, 2);
  first.join();
  second.join();
  assert(global == 7 && map.size() == 2 && text == "made before mainxx" && numbers.size() == 102 &&
         calls == 1);
  // Constructed and destroyed once for each thread that used it.
  assert(Counted::constructed == 2 && Counted::destroyed == 2);
  assert(function_static() == 9);
  std::printf("left in the buffer");
}
