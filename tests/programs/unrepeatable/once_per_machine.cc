// A file that the first execution leaves behind changes what comes after the last decision only.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --jobs 2 --json %t.json %t
// EXIT: 3
// OUT: NOT REPEATABLE
// JSON: j["verdict"] == "incomplete" and j["unrepeatable"]["step"] > 0
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <thread>
std::atomic<int> hits, others;
int main() {
  bool known = access("cache", F_OK) == 0;
  close(open("cache", O_CREAT | O_WRONLY, 0600));
  std::thread other([known] {
    ++others;
    if (known) ++hits;
  });
  other.join();
}
