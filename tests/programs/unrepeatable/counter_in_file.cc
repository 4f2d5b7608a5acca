// State outside of the program's memory: a file that grows with every execution. Exit code 3, and
// the step that differs.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json %t
// EXIT: 3
// OUT: NOT REPEATABLE .* at step 3 of execution
// OUT: expected  main: atomic update, counter_in_file.cc:2[0-9]
// OUT: found     main: atomic update, counter_in_file.cc:2[0-9]
// OUT: files
// JSON: j["verdict"] == "incomplete" and j["failures"] == [] and j["unrepeatable"]["step"] == 3
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>
std::atomic<int> x, y;
int main() {
  int fd = open("grows", O_CREAT | O_WRONLY | O_APPEND, 0600);
  if (write(fd, "x", 1) != 1) return 1;
  struct stat information;
  fstat(fd, &information);
  std::thread other([] { ++x; });
  for (long i = 0; i < information.st_size % 3; ++i) ++y;
  ++x;
  other.join();
}
