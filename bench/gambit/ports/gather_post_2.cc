// One thread posts to a port, another carries the messages to where they are gathered, while two
// clients talk to servers of their own. When nothing is left to do, every post has arrived.
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
  ports::Gather<int> posts(5);
  ports::Courier<int> courier(dispatcher, [&](int post) { posts.add(post); });

  auto client = [](int name) {
    ports::Server doubles([](int request) { return 2 * request; });
    assert(doubles.call(name) == 2 * name);
  };
  std::thread first(client, 1);
  std::thread second(client, 2);
  for (int i = 1; i <= 5; ++i) courier.post(i);
  first.join();
  second.join();
  dispatcher.wait_until_idle();
  assert(posts.sorted() == std::vector<int>({1, 2, 3, 4, 5}));
}
