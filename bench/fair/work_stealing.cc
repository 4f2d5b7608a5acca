// The work-stealing queue with an owner, who is main, and thieves who look for work until he is
// done. Each item is to be had once. Declared state: where each thread stands, what it has got, and
// the queue's head and tails. usage: work_stealing THIEVES
#include "work_stealing.h"

#include <heddle/heddle.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

Queue queue;
std::atomic<bool> done;
std::array<signed char, 4> got;  // by each thread: the sum of its items

void thief(int number) {
  self = number;
  while (at(1), !done.load()) {
    if (int item = queue.steal(2)) {
      got[self] = static_cast<signed char>(got[self] + item);
    } else {
      at(7), std::this_thread::yield();
    }
  }
  at(8);
}

int main(int, char** argv) {
  int thieves = std::atoi(argv[1]);
  heddle::state([] {
    std::array<int, 3> ends = {queue.head(), queue.tail(), queue.own_tail()};
    std::array<signed char, 11> all;
    auto end = std::copy(places.begin(), places.end(), all.begin());
    std::copy(ends.begin(), ends.end(), std::copy(got.begin(), got.end(), end));
    return all;
  });
  std::thread threads[4];
  for (int i = 1; i <= thieves; ++i) at(i), threads[i] = std::thread(thief, i);
  queue.push(4, 1);
  queue.push(5, 2);
  for (int place : {10, 20}) got[0] = static_cast<signed char>(got[0] + queue.pop(place));
  at(6), done.store(true);
  for (int i = 1; i <= thieves; ++i) at(30 + i), threads[i].join();
  at(40);
  HEDDLE_ASSERT(got[0] + got[1] + got[2] == 3);
}
