// More states in one execution than fit beside its result, and more than fit at all. One thread
// after the other makes 3,000 updates: 6,001 states of 8 bytes. With 4,096 bytes each, the area of
// 64 MiB is full after 16,352 of them, and the program is told so.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --preemptions 0 --json - %t 3000 8
// JSON: j["verdict"] == "passed" and j["coverage"]["states"] == 6001
// RUN: %heddle run --preemptions 0 --isolation fork --json - %t 3000 8
// JSON: j["verdict"] == "passed" and j["coverage"]["states"] == 6001
// RUN: %heddle run --strategy random --executions 20 --jobs 2 --list-states 2 %t 3000 8
// RUN: %heddle run --strategy random --executions 20 --list-states 1 %t 3000 8; cmp 1 2; wc -l < 1
// OUT: \n106110\n
// RUN: %heddle run --preemptions 0 %t 9000 4096
// EXIT: 2
// OUT: heddle::state: more than 64 MiB of new states in one execution
#include <heddle/heddle.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

std::atomic<unsigned> counts[2];
unsigned limit;
size_t size;
char bytes[4096];

void work(std::atomic<unsigned>& count) {
  for (unsigned i = 0; i < limit; ++i) ++count;
}

int main(int, char** words) {
  limit = static_cast<unsigned>(std::atoi(words[1]));
  size = static_cast<size_t>(std::atoi(words[2]));
  heddle::state([] {
    unsigned now[] = {counts[0], counts[1]};
    std::memcpy(bytes, now, sizeof now);
    return std::string_view(bytes, size);
  });
  std::thread other([] { work(counts[0]); });
  work(counts[1]);
  other.join();
}
