// TCP on the loopback, between threads of the test: as natively, whatever runs beside it.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t echo && %t later && %t stopped && %t ports && %t broken
// Two clients and a server have many schedules.
// RUN: %heddle run --executions 3000 --json %t.json %t echo
// JSON: j["verdict"] == "incomplete" and j["threads"] == 3
// RUN: %heddle run --strategy dfs --show-output %t early > %t.lines
// RUN: sort -u %t.lines | grep '^connect' | tr '\n' ';'
// OUT: ^connect done;connect refused;$
// RUN: %heddle run --strategy dfs --reduce dpor --show-output %t early > %t.lines
// RUN: sort -u %t.lines | grep '^connect' | tr '\n' ';'
// OUT: ^connect done;connect refused;$
// RUN: %heddle run %t later && %heddle run %t stopped && %heddle run %t ports && %heddle run %t broken
// OUT: ^passed
// NOT: incomplete
// RUN: %heddle run --json %t.json %t nobody
// EXIT: 1
// OUT: main *waits to accept on descriptor 3 \(socket\)
// JSON: j["failures"][0]["kind"] == "deadlock"
// RUN: %heddle run --json %t.json %t full
// EXIT: 1
// OUT: main *waits to connect descriptor 6 \(socket\)
// JSON: j["failures"][0]["kind"] == "deadlock"
// What a connection carries from one thread to the other is no race; what another port carries is.
// RUN: %heddle run --json %t.json %t handed
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --json %t.json %t elsewhere
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "data-race"
// RUN: %heddle run --json %t.json %t out
// EXIT: 2
// OUT: connect to 192\.0\.2\.7, port 80
// JSON: "tcp.cc:69" in j["unsupported"] and j["failures"] == []
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

int listener;
sockaddr_in at{};

sockaddr* address() { return reinterpret_cast<sockaddr*>(&at); }

void serve_at(int port, int backlog = 4) {
  listener = socket(AF_INET, SOCK_STREAM, 0);
  int on = 1;
  assert(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0);
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(port);
  assert(bind(listener, address(), sizeof at) == 0);
  assert(listen(listener, backlog) == 0);
  socklen_t size = sizeof at;
  assert(getsockname(listener, address(), &size) == 0 && size == sizeof at && at.sin_port != 0);
}

int client() {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(fd, address(), sizeof at) == 0);
  return fd;
}

// Two clients; the server answers each with its own letter.
void echo() {
  serve_at(0);
  std::thread server([] {
    for (int i = 0; i < 2; ++i) {
      sockaddr_in from{};
      socklen_t size = sizeof from;
      int fd = accept(listener, reinterpret_cast<sockaddr*>(&from), &size);
      assert(fd >= 0 && size == sizeof from && from.sin_port != at.sin_port);
      char letter;
      assert(read(fd, &letter, 1) == 1 && write(fd, &letter, 1) == 1);
      sockaddr_in peer{};
      size = sizeof peer;
      assert(getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0);
      assert(peer.sin_port == from.sin_port);
      close(fd);
    }
  });
  auto ask = [](char letter) {
    int fd = client();
    int on = 1;
    assert(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0);
    char answer = 0;
    assert(send(fd, &letter, 1, MSG_NOSIGNAL) == 1 && recv(fd, &answer, 1, 0) == 1);
    assert(answer == letter);
    assert(recv(fd, &answer, 1, 0) == 0);
    close(fd);
  };
  std::thread other(ask, 'b');
  ask('a');
  other.join();
  server.join();
  close(listener);
}

// A client that may come before the server listens.
void early() {
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = htons(45678);
  std::thread server([] {
    listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in any = at;
    any.sin_addr.s_addr = INADDR_ANY;
    assert(bind(listener, reinterpret_cast<sockaddr*>(&any), sizeof any) == 0);
    assert(listen(listener, 1) == 0);
  });
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  int result = connect(fd, address(), sizeof at);
  std::printf("connect %s\n", result == 0 ? "done" : errno == ECONNREFUSED ? "refused" : "?");
  server.join();
}

// Without waiting: EINPROGRESS, then what SO_ERROR says.
void later() {
  serve_at(0);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  assert(connect(fd, address(), sizeof at) == -1 && errno == EINPROGRESS);
  pollfd one{fd, POLLOUT, 0};
  assert(poll(&one, 1, -1) == 1 && (one.revents & POLLOUT) != 0);
  int error = -1;
  socklen_t size = sizeof error;
  assert(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0);
  close(listener);
  int refused = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  assert(connect(refused, address(), sizeof at) == -1 && errno == EINPROGRESS);
  one = {refused, POLLOUT, 0};
  assert(poll(&one, 1, -1) == 1);
  size = sizeof error;
  assert(getsockopt(refused, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == ECONNREFUSED);
}

// A server with epoll that is stopped by shutdown of its listener.
void stopped() {
  serve_at(0);
  std::thread server([] {
    int epoll = epoll_create1(0);
    epoll_event event{EPOLLIN, {}};
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) == 0);
    for (;;) {
      assert(epoll_wait(epoll, &event, 1, -1) == 1);
      int fd = accept(listener, nullptr, nullptr);
      if (fd < 0) break;
      close(fd);
    }
    close(epoll);
  });
  int fd = client();
  char end;
  assert(read(fd, &end, 1) == 0);
  shutdown(listener, SHUT_RDWR);
  server.join();
  int again = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(again, address(), sizeof at) == -1 && errno == ECONNREFUSED);
}

// Both families, and ports that are in use.
void ports() {
  serve_at(0);
  int other = socket(AF_INET, SOCK_STREAM, 0);
  assert(bind(other, address(), sizeof at) == -1 && errno == EADDRINUSE);
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_addr = in6addr_loopback;
  six.sin6_port = at.sin_port;
  int of_six = socket(AF_INET6, SOCK_STREAM, 0);
  if (of_six < 0) return;  // not on this machine
  assert(connect(of_six, reinterpret_cast<sockaddr*>(&six), sizeof six) == -1);
  assert(errno == ECONNREFUSED);
  int both = socket(AF_INET6, SOCK_STREAM, 0);
  six.sin6_addr = in6addr_any;
  six.sin6_port = 0;
  assert(bind(both, reinterpret_cast<sockaddr*>(&six), sizeof six) == 0 && listen(both, 1) == 0);
  socklen_t size = sizeof six;
  assert(getsockname(both, reinterpret_cast<sockaddr*>(&six), &size) == 0);
  at.sin_port = six.sin6_port;
  int fd = client();
  int got = accept(both, reinterpret_cast<sockaddr*>(&six), &size);
  assert(got >= 0 && IN6_IS_ADDR_V4MAPPED(&six.sin6_addr));
  close(listener), close(both), close(fd), close(got);
}

// Errors of a connection that the other side has closed.
void broken() {
  serve_at(0);
  int fd = client();
  close(accept(listener, nullptr, nullptr));
  char byte;
  assert(read(fd, &byte, 1) == 0);
  assert(send(fd, "1", 1, MSG_NOSIGNAL) == 1);
  usleep(10000);  // natively, until the answer is there
  assert(send(fd, "2", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
  int alone = socket(AF_INET, SOCK_STREAM, 0);
  assert(read(alone, &byte, 1) == -1 && errno == ENOTCONN);
  assert(shutdown(alone, SHUT_RDWR) == -1 && errno == ENOTCONN);
  sockaddr_in peer{};
  socklen_t size = sizeof peer;
  assert(getpeername(alone, reinterpret_cast<sockaddr*>(&peer), &size) == -1 && errno == ENOTCONN);
  int domain = 0;
  size = sizeof domain;
  assert(getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_INET);
}

// What was written before the connection is read after it; or after one to another port.
void hand(bool elsewhere) {
  static int message;
  serve_at(0);
  int first = listener;
  sockaddr_in first_at = at;
  serve_at(0);
  std::thread server([=] {
    close(accept(elsewhere ? listener : first, nullptr, nullptr));
    assert(message == 1);
  });
  if (elsewhere) close(client());
  message = 1;
  at = first_at;
  close(client());
  server.join();
}

int main(int, char** argv) {
  std::string what = argv[1];
  if (what == "echo") echo();
  if (what == "early") early();
  if (what == "later") later();
  if (what == "stopped") stopped();
  if (what == "ports") ports();
  if (what == "broken") broken();
  if (what == "handed" || what == "elsewhere") hand(what == "elsewhere");
  if (what == "nobody") {
    serve_at(0);
    accept(listener, nullptr, nullptr);
  }
  if (what == "full") {  // nobody accepts: the queue of one holds two
    serve_at(0, 1);
    for (int i = 0; i < 3; ++i) client();
  }
  if (what == "out") {
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = inet_addr("192.0.2.7");
    at.sin_port = htons(80);
    client();
  }
}
