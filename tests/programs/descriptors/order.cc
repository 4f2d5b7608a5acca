// What a thread did before it wrote happens before what another does after it has read: no race.
// Without the read it is one. Nor does one write come before another.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json %t pipe
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --json %t.json %t poll
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --json %t.json %t close
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --json %t.json %t epoll
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --json %t.json %t unread
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race"
// RUN: %heddle run --strategy dfs --json %t.json %t writes
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race"
// The buffer itself belongs to the reader until the read is over.
// RUN: %heddle run --strategy dfs --json %t.json %t buffer
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race"
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cassert>
#include <string>
#include <thread>

int ends[2], shared;
char buffer[8];

int main(int, char** arguments) {
  std::string mode = arguments[1];
  assert(pipe(ends) == 0);
  std::thread other([&] {
    if (mode != "writes") shared = 1;
    if (mode == "close") {
      close(ends[1]);
    } else {
      assert(write(ends[1], "x", 1) == 1);
    }
    if (mode == "writes") shared = 1;
    if (mode == "buffer") buffer[0] = 'y';
  });
  if (mode == "pipe" || mode == "close" || mode == "buffer") {
    assert(read(ends[0], buffer, 1) == (mode == "close" ? 0 : 1));
  } else if (mode == "poll") {
    pollfd set{ends[0], POLLIN, 0};
    assert(poll(&set, 1, -1) == 1);
  } else if (mode == "epoll") {
    int epoll = epoll_create1(0);
    epoll_event event{};
    event.events = EPOLLIN;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
    assert(epoll_wait(epoll, &event, 1, -1) == 1);
  } else if (mode == "writes") {
    assert(write(ends[1], "x", 1) == 1);
  }
  shared = 2;
  other.join();
}
