// Ten threads that count their work on counters of their own; one of them resets a shared one.
// program: one_preemption
// bug: assertion: the fourth thread reads the shared counter and writes it back, and what the
//   eighth thread adds between is lost. No other preemption matters.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

constexpr int kThreads = 10;
constexpr int kRounds = 10;
static std::array<std::atomic<int>, kThreads> counters{};
static std::atomic<int> shared{0};

static void work(int me) {
  for (int i = 0; i < kRounds; ++i) {
    ++counters[me];
    if (me == 3 && i == kRounds / 2) shared.store(shared.load() + 1);
    if (me == 7 && i == kRounds / 2) shared.fetch_add(1);
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  assert(shared == 2);
}
