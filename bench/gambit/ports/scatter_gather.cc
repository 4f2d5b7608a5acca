// Four servers add themselves to a directory; then requests are scattered to all of them, and the
// answers gathered, round by round.
// test: ScatterGather
// steps: 12,156
// bug 3: livelock: Directory::add does not try again when another server was added in between. Who
//   waits for all servers to be there yields for ever.
#include <cassert>
#include <deque>
#include <thread>

#include "server.h"

using ports::Directory;
using ports::Server;

constexpr int kServers = 4;
constexpr int kRounds = 185;

int main() {
  Directory<Server> directory;
  std::deque<Server> servers;
  for (int i = 0; i < kServers; ++i) {
    servers.emplace_back([i](int request) { return request + i; }, &directory);
  }
  while (directory.all().size() < kServers) std::this_thread::yield();

  for (int round = 0; round < kRounds; ++round) {
    for (Server& server : servers) server.ask(round);
    int sum = 0;
    for (Server& server : servers) sum += server.answer();
    assert(sum == kServers * round + kServers * (kServers - 1) / 2);
  }
}
