// Trees of messages, one after the other, in one causality; when it is closed, all of a tree have
// been handled.
// test: Causality
// steps: 2,800
// bug 2: livelock: Causality::begin posts the message before it enters the causality. If all that
//   follows from the message has been handled by then, the causality is closed too early, and its
//   owner yields for ever to enter it.
#include "causality.h"

#include <atomic>
#include <cassert>
#include <thread>

using ports::Causality;
using ports::Dispatcher;

constexpr int kTrees = 12;
constexpr int kDepth = 4;

std::atomic<int> handled{0};

void handle(Causality& causality, int depth) {
  handled.fetch_add(1);
  if (depth == 1) return;
  for (int i = 0; i < 2; ++i) causality.post([&causality, depth] { handle(causality, depth - 1); });
}

int main() {
  Dispatcher dispatcher(2);
  Causality causality(dispatcher);
  for (int tree = 1; tree <= kTrees; ++tree) {
    causality.open();
    causality.begin([&] { handle(causality, kDepth); });
    causality.leave();
    while (!causality.is_closed()) std::this_thread::yield();
    assert(handled.load() == tree * ((1 << kDepth) - 1));
  }
}
