// A read of an empty pipe waits, and is enabled by the write. The reader can do nothing before that
// write, and after it only its read can go before or after the end of the writer: 2 executions.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t one
// RUN: %heddle run --strategy dfs --json %t.json %t one
// JSON: j["verdict"] == "passed" and j["executions"] == 2
// Two writers: both orders, and no others.
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t two > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^read' | tr '\n' ';'
// OUT: ^read ab;read ba;$
// Writes to pipes that nobody shares: 2 threads x (begin, write, end) and their joins in order.
// Without the joins 6!/(3!3!) = 20; main's first join is enabled by the first thread's end.
// RUN: %heddle run --strategy dfs --json %t.json %t apart
// JSON: j["verdict"] == "passed" and j["distinct"] == 1
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <thread>

void put(int fd, char byte) { assert(write(fd, &byte, 1) == 1); }

char get(int fd) {
  char byte = 0;
  assert(read(fd, &byte, 1) == 1);
  return byte;
}

void one() {
  int ends[2];
  assert(pipe(ends) == 0);
  std::thread writer([&] { put(ends[1], 'a'); });
  assert(get(ends[0]) == 'a');
  writer.join();
}

void two() {
  int ends[2];
  assert(pipe(ends) == 0);
  std::thread a([&] { put(ends[1], 'a'); }), b([&] { put(ends[1], 'b'); });
  char first = get(ends[0]), second = get(ends[0]);
  char line[] = {'r', 'e', 'a', 'd', ' ', first, second, '\n'};
  assert(write(1, line, sizeof line) == sizeof line);
  a.join();
  b.join();
}

void apart() {
  int a[2], b[2];
  assert(pipe(a) == 0 && pipe(b) == 0);
  std::thread first([&] { put(a[1], 'a'); }), second([&] { put(b[1], 'b'); });
  first.join();
  second.join();
  assert(get(a[0]) == 'a' && get(b[0]) == 'b');
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "one") == 0) one();
  if (std::strcmp(arguments[1], "two") == 0) two();
  if (std::strcmp(arguments[1], "apart") == 0) apart();
}
