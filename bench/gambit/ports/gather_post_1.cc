// Two clients post while the arbiter of their port is being activated, and then talk to a server.
// When nothing is left to do, every post has been handled.
// test: GatherPost1
// steps: 142
// bug 5: assertion: Arbiter::post sees that the arbiter is not active, and lets the message wait
//   without a second look. If it was activated in between, nobody takes the message.
#include <cassert>
#include <thread>
#include <vector>

#include "arbiter.h"
#include "gather.h"
#include "server.h"

int main() {
  ports::Dispatcher dispatcher(1);
  ports::Gather<int> posts(4);
  ports::Arbiter<int> arbiter(dispatcher, [&](int post) { posts.add(post); });
  ports::Server doubles([](int number) { return 2 * number; });

  auto client = [&](int name) {
    arbiter.post(name);
    arbiter.post(name + 1);
    assert(doubles.call(name) == 2 * name);
  };
  std::thread first(client, 1);
  std::thread second(client, 3);
  arbiter.activate();
  first.join();
  second.join();
  dispatcher.wait_until_idle();
  assert(posts.sorted() == std::vector<int>({1, 2, 3, 4}));
}
