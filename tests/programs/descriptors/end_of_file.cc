// Closing the last writing end lets a reader go, with the end of the file; a duplicate keeps the
// pipe open.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 1
// RUN: %heddle run --strategy dfs --json %t.json %t duplicate
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "deadlock"
#include <unistd.h>

#include <cassert>
#include <thread>

int main(int count, char**) {
  int ends[2];
  assert(pipe(ends) == 0);
  int again = count > 1 ? dup(ends[1]) : -1;
  std::thread writer([&] {
    assert(write(ends[1], "abc", 3) == 3);
    assert(close(ends[1]) == 0);
  });
  char buffer[8];
  ssize_t total = 0;
  while (ssize_t bytes = read(ends[0], buffer, sizeof buffer)) {
    assert(bytes > 0);
    total += bytes;
  }
  assert(total == 3 && again < 0);
  writer.join();
}
