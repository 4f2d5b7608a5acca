// One thread fills a bag and takes some of it again, while others take whatever there is, and then
// use the bag for little things of their own.
// test: ConcBag2
// steps: 358
// bug 2: assertion: an owner looks whether its list is long before it announces that it will work
//   without the lock. Thieves that come in between leave less than it thinks.
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>
#include <vector>

#include "concurrent_bag.h"

int main() {
  constexpr int kItems = 4;
  constexpr int kThieves = 3;
  collections::ConcurrentBag<int> bag;
  std::array<std::atomic<int>, kItems + kThieves> taken = {};
  auto take = [&](int me) {
    std::optional<int> item = bag.try_take(me);
    if (!item) return false;
    int before = taken[*item].fetch_add(1);
    assert(before == 0);
    return true;
  };
  std::thread owner([&] {
    for (int item = 0; item < kItems; ++item) bag.add(0, item);
    take(0);
    take(0);
  });
  std::vector<std::thread> thieves;
  for (int thief = 1; thief <= kThieves; ++thief) {
    thieves.emplace_back([&, thief] {
      take(thief);
      take(thief);
      bag.add(thief, kItems + thief - 1);
      take(thief);
    });
  }
  owner.join();
  for (std::thread& thief : thieves) thief.join();
  while (take(3)) continue;
  for (std::atomic<int>& times : taken) assert(times.load() == 1);
}
