// Four threads meet at a barrier, twice; nobody is ever a phase ahead of the others.
// test: Barrier1
// steps: 156
// bug 1: assertion: at the end of a phase its event is set before that of the next phase is
//   reset. A thread that wakes at once runs through the next phase without waiting.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#include "barrier.h"

int main() {
  constexpr int kThreads = 4;
  constexpr int kPhases = 2;
  std::atomic<int> at[kThreads] = {};
  primitives::Barrier barrier(kThreads);
  auto run = [&](int me) {
    for (int phase = 1; phase <= kPhases; ++phase) {
      at[me].store(phase);
      barrier.signal_and_wait();
      for (std::atomic<int>& other : at) assert(other.load() >= phase);
    }
  };
  std::vector<std::thread> threads;
  for (int me = 0; me < kThreads; ++me) threads.emplace_back(run, me);
  for (std::thread& thread : threads) thread.join();
}
