// Two threads post to one port; what is gathered from it is posted on to three others. When nothing
// is left to do, every message has arrived.
// test: GatherPost2
// steps: 164
// bug 6: assertion: Port::enqueue looks whether the port is empty before it has the lock. If
//   Port::try_dequeue takes the last message in between, no courier is sent, now or later.
// focus: Port::enqueue, Port::try_dequeue
#include <cassert>
#include <numeric>
#include <thread>
#include <vector>

#include "gather.h"
#include "port.h"

using ports::Courier;
using ports::Dispatcher;
using ports::Gather;

int main() {
  Dispatcher dispatcher(2);

  Gather<int> sums(3, [](std::vector<int> all) { assert(all == std::vector<int>({10, 10, 10})); });
  Courier<int> onward(dispatcher, [&](int sum) { sums.add(sum); });
  Gather<int> posts(4, [&](std::vector<int> all) {
    int sum = std::accumulate(all.begin(), all.end(), 0);
    for (int i = 0; i < 3; ++i) onward.post(sum);
  });
  Courier<int> inward(dispatcher, [&](int post) { posts.add(post); });

  std::thread first([&] {
    inward.post(1);
    inward.post(2);
  });
  std::thread second([&] {
    inward.post(3);
    inward.post(4);
  });
  first.join();
  second.join();
  dispatcher.wait_until_idle();
  assert(posts.is_complete());
  assert(sums.is_complete());
}
