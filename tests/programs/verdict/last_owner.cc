// A mistake this guards against: an exception that several threads hold by std::exception_ptr is
// destroyed by who lets go of it last. libstdc++ counts that in code that no hook sees, so to let
// go was no step: a search with reduction ran one of two orders.
//
// Two threads let go of one exception, by `reset` or behind a `catch`; the second argument is the
// thread that must not be the last. Both orders are found, whatever the search.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py auto,dpor 'kinds == {"assertion"}' %heddle -- %t reset,caught,future 1,2
// RUN: python3 %S/inputs/searches.py orders,variants 'kinds == {"assertion"}' %heddle --races ignore -- %t caught 1,2
// RUN: python3 %S/inputs/searches.py dfs,dpor 'verdict == "passed" and j["distinct"] == 2' %heddle --races ignore -- %t reset 3
// Of exceptions that are a thread's own there is nothing to try but the stores of their
// destructors.
// RUN: python3 %S/inputs/searches.py dfs,dpor 'verdict == "passed" and j["distinct"] == 2' %heddle -- %t own 3
#include <atomic>
#include <exception>
#include <future>
#include <string>
#include <thread>
#include <utility>

#include "inputs/subject.h"

std::atomic<int> unrelated_to_one, unrelated_to_two, last;
thread_local int thread_number;

struct Thrown {
  Thrown() = default;
  Thrown(const Thrown&) {}
  ~Thrown() { last = thread_number; }
};

std::exception_ptr thrown() {
  try {
    throw Thrown();
  } catch (...) {
    return std::current_exception();
  }
}

void let_go(const std::string& how, std::exception_ptr* held, std::shared_future<void>* future) {
  if (how == "reset") *held = nullptr;
  if (how == "future") *future = {};
  if (how == "own") thrown();
  if (how != "caught") return;
  try {
    std::rethrow_exception(std::exchange(*held, nullptr));
  } catch (const Thrown&) {
  }
}

void test(const Words& words) {
  const std::string how = words[0];
  std::exception_ptr one = how == "own" ? nullptr : thrown(), two = one;
  std::shared_future<void> first, second;
  if (how == "future") {
    std::promise<void> promise;
    promise.set_exception(std::exchange(one, nullptr));
    two = nullptr;
    first = second = promise.get_future().share();
  }
  std::thread thread_one([&] {
    thread_number = 1;
    unrelated_to_one = 1;
    let_go(how, &one, &first);
  });
  std::thread thread_two([&] {
    thread_number = 2;
    unrelated_to_two = 1;
    let_go(how, &two, &second);
  });
  thread_one.join();
  thread_two.join();
  if (how != "own") HEDDLE_ASSERT(last != std::stoi(words[1]));
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
