// The other names of what waits: vectors, messages, addresses, flags. Each reader below comes
// before its writer in some schedule, waits for it, and gets all of it.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for mode in vectors messages accept events; do %t $mode; done
// RUN: for mode in vectors messages accept events; do %heddle run --preemptions 2 --json %t.$mode %t $mode; done
// RUN: cat %t.vectors %t.messages %t.accept %t.events | grep -c '"verdict": "passed"'
// OUT: ^4$
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

void vectors() {
  int ends[2];
  assert(pipe(ends) == 0 && dup3(ends[0], 20, O_CLOEXEC) == 20);
  std::thread writer([&] {
    char a[] = "ab", b[] = "cd";
    iovec parts[] = {{a, 2}, {b, 2}};
    assert(writev(ends[1], parts, 2) == 4);
  });
  char a[3] = {}, b[3] = {};
  iovec parts[] = {{a, 1}, {b, 3}};
  assert(readv(20, parts, 2) == 4 && a[0] == 'a' && std::memcmp(b, "bcd", 3) == 0);
  writer.join();
}

void messages() {
  int ends[2];
  assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
  std::thread writer([&] {
    assert(sendto(ends[1], "one", 3, 0, nullptr, 0) == 3);
    char text[] = "three";
    iovec part{text, 5};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    assert(sendmsg(ends[1], &message, 0) == 5);
  });
  char buffer[16];
  assert(recvfrom(ends[0], buffer, sizeof buffer, 0, nullptr, nullptr) == 3);
  iovec part{buffer, sizeof buffer};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  assert(recvmsg(ends[0], &message, 0) == 5 && std::memcmp(buffer, "three", 5) == 0);
  writer.join();
}

void accepting() {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;  // and no name: one of the kernel's choice
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(server, reinterpret_cast<sockaddr*>(&name), sizeof name.sun_family) == 0);
  socklen_t length = sizeof name;
  assert(getsockname(server, reinterpret_cast<sockaddr*>(&name), &length) == 0);
  assert(listen(server, 1) == 0);
  std::thread client([&] {
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(fd, reinterpret_cast<sockaddr*>(&name), length) == 0);
    assert(send(fd, "x", 1, MSG_NOSIGNAL) == 1 && close(fd) == 0);
  });
  int fd = accept4(server, nullptr, nullptr, SOCK_CLOEXEC);
  assert((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  char buffer[2];
  assert(recv(fd, buffer, 2, 0) == 1 && recv(fd, buffer, 2, 0) == 0);
  client.join();
}

void events() {
  int ends[2], epoll = epoll_create(1);
  assert(pipe2(ends, O_CLOEXEC) == 0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = ends[0];
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
  std::thread writer([&] { assert(write(ends[1], "x", 1) == 1); });
  sigset_t none;
  sigemptyset(&none);
  epoll_event found{};
  assert(epoll_pwait(epoll, &found, 1, -1, &none) == 1 && found.data.fd == ends[0]);
  timespec limit{3600, 0};
  assert(epoll_pwait2(epoll, &found, 1, &limit, nullptr) == 1);
  writer.join();
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "vectors") == 0) vectors();
  if (std::strcmp(arguments[1], "messages") == 0) messages();
  if (std::strcmp(arguments[1], "accept") == 0) accepting();
  if (std::strcmp(arguments[1], "events") == 0) events();
}
