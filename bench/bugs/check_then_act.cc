// Seats are sold by eight threads that try a hundred times each: is there one left, then take it.
// program: check_then_act-last: -DSEATS=799
// program: check_then_act-middle: -DSEATS=400
// bug: assertion: when one seat is left two threads may see it, and both take it.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

static std::atomic<int> seats{SEATS};

static void sell() {
  for (int i = 0; i < 100; ++i) {
    if (seats.load() > 0) assert(seats.fetch_sub(1) > 0);
  }
}

int main() {
  std::vector<std::thread> sellers;
  for (int i = 0; i < 8; ++i) sellers.emplace_back(sell);
  for (std::thread& seller : sellers) seller.join();
}
