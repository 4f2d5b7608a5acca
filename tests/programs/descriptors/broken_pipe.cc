// A write races with the close of the only reading end: it is written, or fails with EPIPE. With
// the default action the signal ends the program, as natively.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t ignore > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^write' | tr '\n' ';'
// OUT: ^write EPIPE;write done;$
// RUN: %t die
// EXIT: 141
// RUN: %heddle run --strategy dfs --json %t.json --out %t.out %t die
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "crash"
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

int main(int, char** arguments) {
  int ends[2];
  assert(pipe(ends) == 0);
  if (std::strcmp(arguments[1], "die") == 0) {
    close(ends[0]);
    return write(ends[1], "x", 1) < 0;
  }
  signal(SIGPIPE, SIG_IGN);
  std::thread closer([&] { close(ends[0]); });
  errno = 0;
  ssize_t bytes = write(ends[1], "x", 1);
  assert(bytes == 1 || (bytes == -1 && errno == EPIPE));
  const char* line = bytes == 1 ? "write done\n" : "write EPIPE\n";
  assert(write(1, line, std::strlen(line)) > 0);
  closer.join();
}
