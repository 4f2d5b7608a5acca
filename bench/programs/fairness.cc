// fairness HOW THREADS: threads that update atomics, each its own, 5,000 steps in all. HOW is
// plain, without a yield; yields, with one after each update; or spins, where each waits for its
// turn in a loop that only reads.
#include <sched.h>

#include <atomic>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int kSteps = 5000;

struct alignas(64) Counter {
  std::atomic<int> value;
};
Counter counters[64];
std::atomic<int> turn;

void plain(int me, int, int steps) {
  for (int i = 0; i < steps; ++i) counters[me].value.fetch_add(1);
}

void yields(int me, int, int steps) {
  for (int i = 0; i < steps; i += 2) {
    counters[me].value.fetch_add(1);
    sched_yield();
  }
}

void spins(int me, int threads, int steps) {
  for (int i = 0; i < steps; i += 3) {
    while (turn.load() % threads != me) {
    }
    turn.fetch_add(1);
  }
}

}  // namespace

int main(int, char** argv) {
  std::string_view how = argv[1];
  int threads = std::atoi(argv[2]);
  auto body = how == "plain" ? plain : how == "yields" ? yields : spins;
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i) all.emplace_back(body, i, threads, kSteps / threads);
  for (std::thread& thread : all) thread.join();
}
