// Socket pairs: both directions, the end of a stream by shutdown, whole messages, a full buffer.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t talk && %t messages && %t full
// RUN: %heddle run --strategy dfs --json %t.json %t talk
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --json %t.json %t messages
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --json %t.json %t full
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --json %t.json %t stuck
// EXIT: 1
// OUT: main *waits to read descriptor 3 \(socket\)
// OUT: T1 *waits to read descriptor 4 \(socket\)
// JSON: j["failures"][0]["kind"] == "deadlock"
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

int ends[2];

void talk() {
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  std::thread other([] {
    char word[8] = {};
    assert(recv(ends[1], word, 4, MSG_WAITALL) == 4 && std::strcmp(word, "ping") == 0);
    assert(send(ends[1], "pong", 4, 0) == 4);
    assert(recv(ends[1], word, sizeof word, 0) == 0);
  });
  assert(write(ends[0], "pi", 2) == 2);
  assert(write(ends[0], "ng", 2) == 2);
  char word[8] = {};
  assert(read(ends[0], word, sizeof word) == 4 && std::strcmp(word, "pong") == 0);
  assert(shutdown(ends[0], SHUT_WR) == 0);
  other.join();
}

void messages() {
  assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
  std::thread other([] {
    assert(send(ends[1], "one", 3, 0) == 3);
    assert(send(ends[1], "three", 5, MSG_NOSIGNAL) == 5);
    close(ends[1]);
  });
  char word[8] = {};
  iovec part{word, sizeof word};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  assert(recvmsg(ends[0], &message, 0) == 3 && std::memcmp(word, "one", 3) == 0);
  assert(recv(ends[0], word, sizeof word, MSG_PEEK) == 5);
  assert(recv(ends[0], word, sizeof word, 0) == 5 && std::memcmp(word, "three", 5) == 0);
  assert(recv(ends[0], word, sizeof word, 0) == 0);
  other.join();
}

// More than the buffer holds, until the other side reads.
void full() {
  static char bytes[1 << 20], seen[1 << 20];
  std::memset(bytes, 'x', sizeof bytes);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  std::thread other([] {
    for (size_t at = 0; at < sizeof seen;) {
      ssize_t got = read(ends[1], seen + at, sizeof seen - at);
      assert(got > 0);
      at += got;
    }
  });
  assert(write(ends[0], bytes, sizeof bytes) == sizeof bytes);
  other.join();
  assert(std::memcmp(bytes, seen, sizeof bytes) == 0);
}

void stuck() {
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  auto read_first = [](int fd) {
    char byte;
    assert(read(fd, &byte, 1) == 1);
    assert(write(fd, &byte, 1) == 1);
  };
  std::thread other(read_first, ends[1]);
  read_first(ends[0]);
  other.join();
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "talk") == 0) talk();
  if (std::strcmp(arguments[1], "messages") == 0) messages();
  if (std::strcmp(arguments[1], "full") == 0) full();
  if (std::strcmp(arguments[1], "stuck") == 0) stuck();
}
