// A server and its clients by a name: connect before listen is refused, as natively; accept waits.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t serve
// RUN: %heddle run --json %t.json %t serve
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --json %t.json %t queue
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t early > %t.lines
// RUN: sort -u %t.lines | grep '^connect' | tr '\n' ';'
// OUT: ^connect done;connect refused;$
// RUN: %heddle run --strategy dfs --json %t.json %t nobody
// EXIT: 1
// OUT: main *waits to accept on descriptor 3 \(socket\)
// JSON: j["failures"][0]["kind"] == "deadlock"
#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

int server;
sockaddr_un name{};
socklen_t name_size = sizeof name;

// The kernel chooses a name that is free.
void bind_any() {
  server = socket(AF_UNIX, SOCK_STREAM, 0);
  name.sun_family = AF_UNIX;
  assert(bind(server, reinterpret_cast<sockaddr*>(&name), sizeof(sa_family_t)) == 0);
  assert(getsockname(server, reinterpret_cast<sockaddr*>(&name), &name_size) == 0);
}

int connect_once() {
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  int result = connect(fd, reinterpret_cast<sockaddr*>(&name), name_size);
  return result == 0 ? fd : -1;
}

void serve() {
  bind_any();
  assert(listen(server, 4) == 0);
  std::thread client([] {
    int fd = connect_once();
    assert(fd >= 0 && send(fd, "hello", 5, 0) == 5);
    char byte;
    assert(read(fd, &byte, 1) == 0);
  });
  int fd = accept(server, nullptr, nullptr);
  char word[5];
  assert(fd >= 0 && read(fd, word, sizeof word) == 5);
  close(fd);
  client.join();
}

// A queue for one: the others wait in connect.
void queue() {
  bind_any();
  assert(listen(server, 0) == 0);
  auto client = [] { assert(connect_once() >= 0); };
  std::thread a(client), b(client), c(client);
  for (int i = 0; i < 3; ++i) assert(accept(server, nullptr, nullptr) >= 0);
  a.join();
  b.join();
  c.join();
}

void early() {
  bind_any();
  std::thread client([] {
    int fd = connect_once();
    assert(fd >= 0 || errno == ECONNREFUSED);
    const char* line = fd >= 0 ? "connect done\n" : "connect refused\n";
    assert(write(1, line, std::strlen(line)) > 0);
  });
  assert(listen(server, 1) == 0);
  client.join();
}

void nobody() {
  bind_any();
  assert(listen(server, 1) == 0);
  accept(server, nullptr, nullptr);
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "serve") == 0) serve();
  if (std::strcmp(arguments[1], "queue") == 0) queue();
  if (std::strcmp(arguments[1], "early") == 0) early();
  if (std::strcmp(arguments[1], "nobody") == 0) nobody();
}
