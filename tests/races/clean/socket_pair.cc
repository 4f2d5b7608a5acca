// No race: a message through a socket pair, and an answer.
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int ends[2];
int data;

int main() {
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  std::thread other([] {
    char byte;
    assert(recv(ends[1], &byte, 1, 0) == 1);
    ++data;
    assert(send(ends[1], &byte, 1, 0) == 1);
  });
  data = 41;
  char byte = 1;
  assert(send(ends[0], &byte, 1, 0) == 1);
  assert(recv(ends[0], &byte, 1, 0) == 1);
  assert(data == 42);
  other.join();
}
