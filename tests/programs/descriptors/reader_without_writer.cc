// A read that nobody will answer is a deadlock, at once: it names the descriptor.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --json %t.json --out %t.out %t
// EXIT: 1
// OUT: deadlock
// OUT: main *waits for T1 to end
// OUT: T1 *waits to read descriptor 3 \(pipe\) *reader_without_writer.cc:17
// JSON: j["failures"][0]["kind"] == "deadlock" and j["seconds"] < 5
// RUN: %heddle replay --times 10 %t.out/*-1.heddle
// EXIT: 1
// OUT: reproduced 10 times, the same to the step
#include <unistd.h>

#include <thread>

void take(int fd) {
  for (char byte; read(fd, &byte, 1) == 1;) {
  }
}

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  std::thread reader(take, ends[0]);
  if (write(ends[1], "x", 1) != 1) return 0;
  reader.join();  // the writing end stays open
}
