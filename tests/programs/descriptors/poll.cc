// poll and select wait until one of their descriptors is ready: the first, the second or both. With
// a time limit they may end without any.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t poll > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^ready' | tr '\n' ';'
// OUT: ^ready a;ready ab;ready b;$
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t select > %t.lines
// RUN: sort -u %t.lines | grep '^ready' | tr '\n' ';'
// OUT: ^ready a;ready ab;ready b;$
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t epoll > %t.lines
// RUN: sort -u %t.lines | grep '^ready' | tr '\n' ';'
// OUT: ^ready a;ready ab;ready b;$
// The poll with a limit stands at one of 4 places among the writer's steps (begin, write, end); at
// the 2 before the write it can only time out, at the others it finds the pipe ready.
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t limited > %t.lines
// JSON: j["verdict"] == "passed" and j["executions"] == 4 and j["seconds"] < 5
// RUN: grep '^limited' %t.lines | sort | uniq -c | tr -s ' \n' ' '
// OUT: ^ 2 limited out 2 limited ready $
// A deadlock, if nobody writes.
// RUN: %heddle run --strategy dfs --json %t.json %t nobody
// EXIT: 1
// OUT: main *waits for one of several descriptors to be ready
// JSON: j["failures"][0]["kind"] == "deadlock"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <cstring>
#include <thread>

int a[2], b[2];

void say(const char* line) { assert(write(1, line, std::strlen(line)) > 0); }

void say_ready(bool first, bool second) {
  assert(first || second);
  say(first && second ? "ready ab\n" : first ? "ready a\n" : "ready b\n");
}

void put(int fd) { assert(write(fd, "x", 1) == 1); }

int main(int, char** arguments) {
  const char* mode = arguments[1];
  assert(pipe(a) == 0 && pipe(b) == 0);
  pollfd set[] = {{a[0], POLLIN, 0}, {b[0], POLLIN, 0}};
  if (std::strcmp(mode, "nobody") == 0) return poll(set, 2, -1);
  if (std::strcmp(mode, "limited") == 0) {
    std::thread writer(put, a[1]);
    auto before = std::chrono::steady_clock::now();
    int count = poll(set, 1, 3600 * 1000);
    bool out = std::chrono::steady_clock::now() - before >= std::chrono::hours(1);
    assert(count == (out ? 0 : 1));
    say(out ? "limited out\n" : "limited ready\n");
    writer.join();
    return 0;
  }
  std::thread first(put, a[1]), second(put, b[1]);
  if (std::strcmp(mode, "poll") == 0) {
    int count = poll(set, 2, -1);
    assert(count == (set[0].revents != 0) + (set[1].revents != 0));
    say_ready(set[0].revents == POLLIN, set[1].revents == POLLIN);
  } else if (std::strcmp(mode, "select") == 0) {
    fd_set readable;
    FD_ZERO(&readable);
    FD_SET(a[0], &readable);
    FD_SET(b[0], &readable);
    assert(select(b[0] + 1, &readable, nullptr, nullptr, nullptr) > 0);
    say_ready(FD_ISSET(a[0], &readable), FD_ISSET(b[0], &readable));
  } else {
    int epoll = epoll_create1(0);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, a[0], &event) == 0);
    event.data.u32 = 1;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, b[0], &event) == 0);
    epoll_event events[2];
    int count = epoll_wait(epoll, events, 2, -1);
    say_ready(events[0].data.u32 == 0 || (count == 2 && events[1].data.u32 == 0),
              events[0].data.u32 == 1 || (count == 2 && events[1].data.u32 == 1));
  }
  first.join();
  second.join();
}
