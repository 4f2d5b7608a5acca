// Two iterators pass a number to and fro through slots, and each adds one to it.
// test: Iterator
// steps: 200
// bug 1: livelock: Slot::await relies on await_ready, which has just seen no message. One that came
//   in between is forgotten; the iterator never goes on, and who waits for it yields for ever.
#include "iterator.h"

#include <cassert>
#include <deque>

using ports::Dispatcher;
using ports::Iterator;
using ports::Slot;

constexpr int kRounds = 4;
using Slots = std::deque<Slot<int>>;

Iterator pass(Slots& from, Slots& to) {
  for (int i = 0; i < kRounds; ++i) to[i].put(co_await from[i] + 1);
}

Iterator begin(Slots& to, Slots& from, int* last) {
  int number = 0;
  for (int i = 0; i < kRounds; ++i) {
    to[i].put(number + 1);
    number = co_await from[i];
  }
  *last = number;
}

int main() {
  Dispatcher dispatcher(2);
  Slots there, back;
  for (int i = 0; i < kRounds; ++i) {
    there.emplace_back(dispatcher);
    back.emplace_back(dispatcher);
  }
  int last = 0;
  Iterator second = pass(there, back);
  Iterator first = begin(there, back, &last);
  second.start(dispatcher);
  first.start(dispatcher);
  first.wait();
  second.wait();
  assert(last == 2 * kRounds);
}
