// One thread hands work to two others through a list, and sets an event whenever there is
// something in it. Who sees the event resets it, and then takes all there is.
// test: MRSE
// steps: 95
// bug 3: deadlock: a sleeper that wakes writes the event's word back with one sleeper less. If the
//   event is set between its load and its store, nobody learns of it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#include "manual_reset_event.h"

int main() {
  constexpr int kItems = 3;
  std::mutex mutex;
  std::vector<int> list;  // under mutex, as are the next two
  bool closed = false;
  int taken = 0;
  primitives::ManualResetEvent ready;
  auto consume = [&] {
    for (bool last = false; !last;) {
      ready.wait();
      ready.reset();
      std::lock_guard lock(mutex);
      taken += static_cast<int>(list.size());
      list.clear();
      last = closed;
    }
    ready.set();  // for the other one
  };
  std::thread first(consume);
  std::thread second(consume);
  std::thread producer([&] {
    for (int item = 0; item < kItems; ++item) {
      {
        std::lock_guard lock(mutex);
        list.push_back(item);
        closed = item == kItems - 1;
      }
      ready.set();
    }
  });
  first.join();
  second.join();
  producer.join();
  assert(taken == kItems);
}
