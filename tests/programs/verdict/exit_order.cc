// A mistake this guards against: who registers a handler for the end of the program first is called
// last, but to register one was no step: a search with reduction ran one of two orders. What static
// variables of functions have to destroy is registered in the same way.
//
// Two threads register one each; the second argument is the thread whose handler must not be called
// first. Both orders are found, whatever the search.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"assertion"}' %heddle -- %t atexit,on_exit,static 1,2
// RUN: python3 %S/inputs/searches.py orders,variants 'kinds == {"assertion"}' %heddle --races ignore -- %t static 1,2
// Where the order is known there is one class.
// RUN: python3 %S/inputs/searches.py dfs,dpor 'verdict == "passed" and j["distinct"] == 1' %heddle -- %t static 1 joined
#include <stdlib.h>

#include <atomic>
#include <string>
#include <thread>

#include "inputs/subject.h"

std::atomic<int> unrelated_to_one, unrelated_to_two;
std::string what;
int called_first, unwanted;

void called(int thread) {
  if (called_first == 0) called_first = thread;
  HEDDLE_ASSERT(called_first != unwanted);
}

struct Called {
  explicit Called(int number) : thread(number) {}
  ~Called() { called(thread); }
  int thread;
};

void register_one() {
  if (what == "atexit") atexit([] { called(1); });
  if (what == "on_exit") on_exit([](int, void*) { called(1); }, nullptr);
  if (what == "static") static const Called one(1);
}

void register_two() {
  if (what == "atexit") atexit([] { called(2); });
  if (what == "on_exit") on_exit([](int, void*) { called(2); }, nullptr);
  if (what == "static") static const Called two(2);
}

void test(const Words& words) {
  what = words[0];
  unwanted = words[1] == "1" ? 1 : 2;
  std::thread one([] {
    unrelated_to_one = 1;
    register_one();
  });
  if (words.size() > 2) one.join();
  std::thread two([] {
    unrelated_to_two = 1;
    register_two();
  });
  if (words.size() == 2) one.join();
  two.join();
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
