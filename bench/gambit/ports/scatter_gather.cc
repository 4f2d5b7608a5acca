// Four servers add themselves to a directory; then requests are scattered to all of them, and the
// answers gathered, round by round.
// test: ScatterGather
// steps: 11,900
// bug 3: livelock: Directory::add does not try again when another server was added in between. Who
//   waits for all servers to be there yields for ever.
#include <array>
#include <cassert>
#include <deque>
#include <thread>

#include "server.h"

using ports::Directory;
using ports::Mailbox;
using ports::Server;

constexpr int kServers = 4;
constexpr int kRounds = 185;

int main() {
  Directory<Server> directory;
  std::deque<Server> servers;
  for (int i = 0; i < kServers; ++i) {
    servers.emplace_back([i](int number) { return number + i; }, &directory);
  }
  while (directory.all().size() < kServers) std::this_thread::yield();

  std::array<Mailbox<int>, kServers> answers;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kServers; ++i) servers[i].ask(round, answers[i]);
    int sum = 0;
    for (Mailbox<int>& answer : answers) sum += answer.take();
    assert(sum == kServers * round + kServers * (kServers - 1) / 2);
  }
}
