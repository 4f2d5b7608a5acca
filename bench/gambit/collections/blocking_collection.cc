// A pipeline: one thread hands out packets, two unpack them, and two more count what was in them.
// test: BlockingColl
// steps: 859
// bug 3: deadlock: complete_adding looks whether the collection is empty before it says that adding
//   is complete. If the last item is taken in between, nobody sends home those who wait for more.
#include "blocking_collection.h"

#include <atomic>
#include <cassert>
#include <optional>
#include <thread>
#include <vector>

int main() {
  constexpr int kPackets = 3;
  constexpr int kContents = 12;
  constexpr int kAll = kPackets * kContents;
  constexpr int kCounters = 2;
  collections::BlockingCollection<int> packets(kPackets);
  collections::BlockingCollection<int> contents(kAll);
  std::atomic<int> sum = 0;

  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    for (int packet = 0; packet < kPackets; ++packet) packets.add(packet);
    packets.complete_adding();
  });
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      while (std::optional<int> packet = packets.take()) {
        for (int item = 0; item < kContents; ++item) contents.add(*packet * kContents + item);
      }
    });
  }
  for (int i = 0; i < kCounters; ++i) {
    threads.emplace_back([&] {
      for (int item = 0; item < kAll / kCounters; ++item) sum.fetch_add(*contents.take());
    });
  }
  for (std::thread& thread : threads) thread.join();
  assert(sum.load() == kAll * (kAll - 1) / 2);
}
