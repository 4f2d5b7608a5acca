// read, write and close by way of syscall(2) wait as their functions do; others on such a
// descriptor stop with their name. As in pipe.cc: 2 executions.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --strategy dfs --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] == 2
// RUN: %heddle run %t vector
// EXIT: 2
// OUT: syscall on a descriptor between threads, at system_calls.cc:23
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int main(int count, char**) {
  int ends[2];
  assert(pipe(ends) == 0);
  std::thread writer([&] { assert(syscall(SYS_write, ends[1], "ab", 2) == 2); });
  char bytes[2];
  iovec part{bytes, 2};
  if (count > 1) return syscall(SYS_readv, ends[0], &part, 1);
  assert(syscall(SYS_read, ends[0], bytes, 2) == 2 && bytes[1] == 'b');
  writer.join();
}
