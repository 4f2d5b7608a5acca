// Without blocking nobody waits: the read comes before the write, and gets EAGAIN, or after it. It
// stands at any of 4 places among the writer's steps (begin, write, end), 2 of them before the
// write.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t > %t.lines
// JSON: j["verdict"] == "passed" and j["executions"] == 4
// RUN: grep '^read' %t.lines | sort | uniq -c | tr -s ' \n' ' '
// OUT: ^ 2 read EAGAIN 2 read a $
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

int main() {
  int ends[2];
  assert(pipe2(ends, O_NONBLOCK) == 0);
  std::thread writer([&] { assert(write(ends[1], "a", 1) == 1); });
  char byte = 0;
  ssize_t bytes = read(ends[0], &byte, 1);
  assert((bytes == 1 && byte == 'a') || (bytes == -1 && errno == EAGAIN));
  const char* line = bytes == 1 ? "read a\n" : "read EAGAIN\n";
  writer.join();
  // The program runs once more in the end, to see that it is repeatable, with its output dropped.
  assert(write(1, line, std::strlen(line)) > 0);
}
