// A mistake this guards against: an execution that ends early (an assertion that fails, an assume
// that does not hold, an exit) leaves operations undone. Sleep sets took such an operation for one
// that another schedule explores, though that schedule, too, had ended before it: classes of
// executions were lost.
//
// With --keep-going the number of classes must be that of plain depth-first search, in every order,
// with sleep sets and without.
// COMPILERS: gcc
// THOROUGH: clang
// TIMEOUT: 60
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// If the first thread asserts as soon as it begins, a class is what the others did before, up to
// the order of dependent steps. Let main create three threads, of which the second has p steps
// (begin, operations, end) and the third q. With one thread created there is 1 class, with two
// there are p + 1, with three (p + 1)(q + 1), and for each operation of main's own as many again;
// but two, not one, where that and the third thread's X have two orders, that is for 2 of its 4
// numbers of steps.
//
//   ! y X Xy: 1 + 4 + 16 + 4 (1 + 1 + 2 + 2) + 4 (1 + 1 + 2 + 2) = 69
//
//   !y x - x: 1 + 4 + 12 + 12 = 29
//
//   !Xy - X x: 1 + 3 + 12 + 3 (1 + 1 + 2 + 2) = 34
// RUN: python3 %S/inputs/searches.py dfs,reduced 'j["distinct"] == 69' %heddle --keep-going -- %t assert '!' y X Xy
// RUN: for numbers in '29 !y x - x' '34 !Xy - X x'; do set -- $numbers; classes=$1; shift; python3 %S/inputs/searches.py dfs,dpor,orders "j['distinct'] == $classes" %heddle --keep-going -- %t assert "$@"; done
// Other ends, in the middle and under a condition.
// RUN: python3 %S/inputs/searches.py dpor 'verdict == dfs["verdict"] and j["distinct"] == dfs["distinct"] and kinds == {failure["kind"] for failure in dfs["failures"]}' %heddle --keep-going -- %t assert,assume,exit '!y x - x,=y X Y,Y! X! xy,xX!x Xy'
// RUN: python3 %S/inputs/searches.py orders 'verdict == dfs["verdict"] and j["distinct"] == dfs["distinct"] and kinds == {failure["kind"] for failure in dfs["failures"]}' %heddle --keep-going -- %t assume,exit '!y' x - x
// RUN: python3 %S/inputs/searches.py --check dpor,orders 'verdict == dfs["verdict"] and j["distinct"] == dfs["distinct"] and kinds == {failure["kind"] for failure in dfs["failures"]}' %heddle --keep-going -- %t assert '!Xy - X x,Y! X! xy'
// A step with several outcomes: by one of them it gives up, by another it fails (and by a third it
// goes on). Whichever was run first, the others are not passed over.
// RUN: python3 %S/inputs/searches.py dpor,orders 'verdict == dfs["verdict"] and j["distinct"] == dfs["distinct"]' %heddle --keep-going -- %t two,three '! - x,! y X Xy,!y x - x,=y X Y,xX!x Xy'
// What handlers do behind an exit are steps, too; the last of them leaves undone what others could
// have done. With a thread that exits, `xyx` in the handlers and an update of y by main there are
// three classes: the update comes before the load of y, behind it, or not at all.
// RUN: python3 %S/inputs/searches.py dfs,reduced,auto 'j["distinct"] == 3 and verdict == "passed"' %heddle --keep-going -- %t exit:xyx '!' Y
// RUN: python3 %S/inputs/searches.py dpor 'verdict == dfs["verdict"] and j["distinct"] == dfs["distinct"]' %heddle --keep-going -- %t exit:xyx,exit:yX '! YY,=y X Y,X=Y X=Y -,Y! X! xy'
// RUN: python3 %S/inputs/searches.py orders,variants 'verdict == dfs["verdict"] and j["distinct"] == dfs["distinct"]' %heddle --keep-going -- %t exit:xyx '! YY,X=Y X=Y -'
// Without --keep-going the first failure is found all the same; an exit is none.
// RUN: for threads in '!Xy - X x' '=y X Y' 'Y! X! xy'; do python3 %S/inputs/searches.py auto,dpor 'kinds == {"assertion"}' %heddle -- %t assert $threads; python3 %S/inputs/searches.py auto,dpor 'verdict == "passed"' %heddle -- %t exit $threads; done
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "inputs/subject.h"

// The arguments: how it ends (of an exit, behind a colon, what its handlers do), what the threads
// do, and at last what main does while they run. x and y are loads, X and Y updates, ! is the end,
// = the end if x is 1; - is nothing.
std::atomic<int> x, y;
std::string way;

void end() {
  if (way == "assert") HEDDLE_ASSERT(false);
  if (way == "assume") heddle::assume(false);
  if (way.starts_with("exit")) exit(0);
  if (way == "two" || way == "three") {
    uint64_t chosen = heddle::choose(way == "two" ? 2 : 3);
    heddle::assume(chosen != 0);
    HEDDLE_ASSERT(chosen != 1);
  }
}

void perform(const std::string& operations) {
  for (char operation : operations) {
    if (operation == 'x') x.load();
    if (operation == 'y') y.load();
    if (operation == 'X') x.fetch_add(1);
    if (operation == 'Y') y.fetch_add(1);
    if (operation == '!') end();
    if (operation == '=' && x.load() == 1) end();
  }
}

void* perform_in_thread(void* operations) {
  perform(*static_cast<std::string*>(operations));
  return nullptr;
}

void test(const Words& words) {
  way = words[0];
  if (way.starts_with("exit:")) std::atexit([] { perform(way.substr(5)); });
  Words bodies(words.begin() + 1, words.end());
  std::vector<pthread_t> threads(bodies.size() - 1);
  for (size_t i = 0; i < threads.size(); ++i) {
    pthread_create(&threads[i], nullptr, perform_in_thread, &bodies[i]);
  }
  perform(bodies.back());
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
