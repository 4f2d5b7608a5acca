// One thread posts to a port, another carries the messages to where they are gathered, while two
// clients talk to a server. When nothing is left to do, every post has arrived.
// test: GatherPost2
// steps: 164
// bug 6: assertion: Port::try_dequeue empties the inbox in two steps. What Port::enqueue adds in
//   between is lost.
// focus: Port::enqueue, Port::try_dequeue
#include <cassert>
#include <thread>
#include <vector>

#include "courier.h"
#include "gather.h"
#include "server.h"

int main() {
  ports::Dispatcher dispatcher(1);
  ports::Gather<int> posts(4);
  ports::Courier<int> courier(dispatcher, [&](int post) { posts.add(post); });
  ports::Server doubles([](int number) { return 2 * number; });

  auto client = [&](int name) {
    for (int i = 0; i < 2; ++i) assert(doubles.call(name + i) == 2 * (name + i));
  };
  std::thread first(client, 1);
  std::thread second(client, 3);
  for (int i = 1; i <= 4; ++i) courier.post(i);
  first.join();
  second.join();
  dispatcher.wait_until_idle();
  assert(posts.sorted() == std::vector<int>({1, 2, 3, 4}));
}
