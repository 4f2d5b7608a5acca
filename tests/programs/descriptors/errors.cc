// What is wrong with a call is the program's to see, at once: nobody waits for an error.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] == 1
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cassert>

template <typename Result>
void expect(Result result, int error) {
  assert(result == -1 && errno == error);
  errno = 0;
}

int main() {
  char bytes[8];
  int ends[2], pair[2];
  assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  expect(read(ends[1], bytes, 1), EBADF);
  expect(write(ends[0], bytes, 1), EBADF);
  assert(read(ends[0], bytes, 0) == 0 && write(ends[1], bytes, 0) == 0);
  expect(recv(ends[0], bytes, 1, 0), ENOTSOCK);
  expect(send(ends[1], bytes, 1, 0), ENOTSOCK);
  expect(accept(pair[0], nullptr, nullptr), EINVAL);
  expect(accept(ends[0], nullptr, nullptr), ENOTSOCK);
  expect(pipe2(ends, 12345), EINVAL);
  expect(pipe(nullptr), EFAULT);
  expect(close(-1), EBADF);
  expect(dup(-1), EBADF);
  expect(dup2(ends[0], -1), EBADF);
  int event = eventfd(0, 0);
  expect(read(event, bytes, 4), EINVAL);
  expect(write(event, bytes, 4), EINVAL);
  expect(eventfd(0, 12345), EINVAL);
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  expect(timerfd_create(12345, 0), EINVAL);
  expect(read(timer, bytes, 4), EINVAL);
  expect(write(timer, bytes, 8), EINVAL);
  itimerspec wrong{{0, 0}, {0, 2000000000}};
  expect(timerfd_settime(timer, 0, &wrong, nullptr), EINVAL);
  itimerspec right{{0, 0}, {1, 0}};
  expect(timerfd_settime(event, 0, &right, nullptr), EINVAL);
  expect(timerfd_settime(-1, 0, &right, nullptr), EBADF);
  pollfd bad{-1, POLLIN, 0};
  assert(poll(&bad, 1, 0) == 0);
  pollfd closed{600, POLLIN, 0};
  assert(poll(&closed, 1, -1) == 1 && closed.revents == POLLNVAL);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(30, &set);
  expect(select(31, &set, nullptr, nullptr, nullptr), EBADF);
  timeval before{-1, 0};
  expect(select(0, nullptr, nullptr, nullptr, &before), EINVAL);
  epoll_event events[1]{};
  int epoll = epoll_create1(0);
  expect(epoll_wait(epoll, events, 0, -1), EINVAL);
  expect(epoll_wait(event, events, 1, -1), EINVAL);
  expect(epoll_ctl(epoll, EPOLL_CTL_ADD, 600, events), EBADF);
  assert(close(ends[0]) == 0);
  expect(close(ends[0]), EBADF);
  expect(read(ends[0], bytes, 1), EBADF);

  // No more descriptors. (The limit stays for the next execution, which starts below it.)
  rlimit limit{40, 40};
  assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  int made = 0;
  while (pipe(ends) == 0) ++made;
  assert(errno == EMFILE && made > 0 && made < 20);
  while (dup(event) >= 0) {
  }
  expect(eventfd(0, 0), EMFILE);
  expect(timerfd_create(CLOCK_MONOTONIC, 0), EMFILE);
  expect(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), EMFILE);
  expect(epoll_create1(0), EMFILE);
}
