// Two threads meet at a barrier, phase by phase; a third one joins them, for one phase, whenever
// it comes.
// test: Barrier2
// steps: 112
// bug 2: assertion: who joins when a phase has been counted, but the event of the next one is not
//   yet reset, takes that event for the end of its own phase.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#include "barrier.h"

int main() {
  constexpr int kPhases = 3;
  std::atomic<int> ended = 0;
  primitives::Barrier barrier(2, [&](long) { ended.fetch_add(1); });
  auto stay = [&] {
    for (int phase = 1; phase <= kPhases; ++phase) {
      barrier.signal_and_wait();
      assert(ended.load() >= phase);
    }
    barrier.remove_participant();
  };
  std::thread first(stay);
  std::thread second(stay);
  std::thread guest([&] {
    long phase = barrier.add_participant();
    barrier.signal_and_wait();
    assert(ended.load() > phase);
    barrier.remove_participant();
  });
  first.join();
  second.join();
  guest.join();
}
