// A mistake this guards against: initialising a semaphore, a mutex or the like was no step, and
// independent of what others do with the object. The order in which it comes after a use was found
// by chance only.
//
// One thread initialises, the other uses: the last argument says whether what it did must not be
// lost. With `late` they get there only by taking turns, with more preemptions than `auto` covers
// without reduction. With `first` the object was made before there were threads: one class.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py dfs,dpor,orders 'verdict == "failed"' %heddle -- %t semaphore,named soon
// RUN: python3 %S/inputs/searches.py auto,dpor 'kinds == {"assertion"}' %heddle -- %t semaphore late
// RUN: python3 %S/inputs/searches.py dpor,variants 'kinds == {"assertion"}' %heddle --races ignore -- %t semaphore soon
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor,orders 'verdict == "passed"' %heddle -- %t semaphore first
#include <fcntl.h>
#include <semaphore.h>

#include <atomic>
#include <thread>

#include "inputs/subject.h"

sem_t semaphore;
std::atomic<int> x, y;

// Three turns each: true for the one who comes to the end of them.
bool takes_turns(std::atomic<int>& mine, std::atomic<int>& other, bool begins) {
  for (int turn = 1; turn <= 3; ++turn) {
    if (!begins && other != turn) return false;
    mine = turn;
    if (begins && other != turn) return false;
  }
  return true;
}

void use_one() {
  sem_post(&semaphore);
  int value = 0;
  sem_getvalue(&semaphore, &value);
  HEDDLE_ASSERT(value == 1);
}

void initialised(const std::string& when) {
  if (when == "first") sem_init(&semaphore, 0, 0);
  std::thread maker([&] {
    if (when == "late" && !takes_turns(x, y, true)) return;
    if (when != "first") sem_init(&semaphore, 0, 0);
  });
  std::thread user([&] {
    if (when == "late" && !takes_turns(y, x, false)) return;
    use_one();
  });
  maker.join();
  user.join();
}

// The last to close a named semaphore ends its life.
void closed() {
  sem_t* named = sem_open("/heddle-made-in-use", O_CREAT, 0600, 0);
  std::thread closer([&] {
    x = 1;
    sem_close(named);
  });
  sem_post(named);
  closer.join();
}

int main(int argc, char** argv) {
  return search_or_run(argc, argv, [](const Words& words) {
    words[0] == "named" ? closed() : initialised(words[1]);
  });
}
