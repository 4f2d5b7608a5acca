// One thread posts to a port, another carries the messages to where they are gathered, while two
// clients talk to a server. When nothing is left to do, every post has arrived.
// test: GatherPost2
// steps: 270
// bug 6: assertion: Port::try_dequeue empties the inbox in two steps. What Port::enqueue adds in
//   between is lost.
// focus: Port::enqueue, Port::try_dequeue
#include <cassert>
#include <thread>
#include <vector>

#include "courier.h"
#include "gather.h"
#include "server.h"

constexpr int kCalls = 5;

int main() {
  ports::Dispatcher dispatcher(1);
  ports::Gather<int> posts(3);
  ports::Courier<int> courier(dispatcher, [&](int post) { posts.add(post); });
  ports::Server doubles([](int number) { return 2 * number; });

  auto client = [&] {
    for (int i = 0; i < kCalls; ++i) assert(doubles.call(i) == 2 * i);
  };
  std::thread first(client);
  std::thread second(client);
  for (int i = 1; i <= 3; ++i) courier.post(i);
  first.join();
  second.join();
  dispatcher.wait_until_idle();
  assert(posts.sorted() == std::vector<int>({1, 2, 3}));
}
