// Plain accesses in a loop, for the cost of a hook that has nothing to do: built once with the
// wrappers and once without.
#include <chrono>
#include <cstdio>

int cells[64];

int main() {
  constexpr int kRounds = 4000000;
  auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < kRounds; ++round) {
    for (int& cell : cells) {
      cell += round;
      asm volatile("" : : : "memory");
    }
  }
  std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  std::printf("%.3f\n", time.count() / kRounds / 64 / 2);  // a read and a write each
}
