// Two threads fill a bag, and then empty it; a third one takes as often as it adds. Nothing is
// lost, and nothing comes out twice.
// test: ConcBag1
// steps: 860
// bug 1: assertion: an owner whose list is short takes the lock, and does not look again whether
//   thieves have left anything.
#include <array>
#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

#include "concurrent_bag.h"

int main() {
  constexpr int kThreads = 3;
  constexpr int kItems = 9;
  collections::ConcurrentBag<int> bag;
  std::array<std::atomic<int>, kThreads* kItems> taken = {};
  auto fill = [&](int me) {
    for (int i = 0; i < kItems; ++i) bag.add(me, me * kItems + i);
  };
  auto take = [&](int me) {
    std::optional<int> item = bag.try_take(me);
    if (!item) return false;
    int before = taken[*item].fetch_add(1);
    assert(before == 0);
    return true;
  };
  auto fill_and_empty = [&](int me) {
    fill(me);
    while (take(me)) continue;
  };
  std::thread first(fill_and_empty, 0);
  std::thread second(fill_and_empty, 1);
  std::thread third([&] {
    fill(2);
    for (int i = 0; i < kItems; ++i) take(2);
  });
  first.join();
  second.join();
  third.join();
  while (take(3)) continue;
  for (std::atomic<int>& times : taken) assert(times.load() == 1);
}
