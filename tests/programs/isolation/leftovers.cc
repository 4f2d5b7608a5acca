// Descriptors, mappings, the environment and what the kernel writes into globals do not reach the
// next execution.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --preemptions none --json %t.json %t
// JSON: j["verdict"] == "passed" and j["executions"] > 3
// RUN: %heddle run --strategy random --executions 10000 --json %t.json %t
// JSON: j["executions"] == 10000 and j["failures"] == []
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

std::atomic<int> count;
char buffer[100000];
char late_buffer[100000];
alignas(4096) struct stat late_status[64];  // on pages of its own

int main() {
  assert(open("/dev/null", O_RDONLY) == 3);
  std::FILE* file = std::fopen("/dev/zero", "r");
  assert(fileno(file) == 4);
  assert(buffer[0] == 0 && std::fread(buffer, 1, sizeof buffer, file) == sizeof buffer);
  std::memset(buffer, 1, sizeof buffer);
  assert(std::getenv("MARK") == nullptr);
  setenv("MARK", "1", 1);
  auto* page = static_cast<char*>(
      mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  assert(page[0] == 0);
  page[0] = 1;
  std::thread other([] { ++count; });
  // Not in the first execution: the page is protected by then, and the kernel is to write to it.
  if (count == 1) {
    assert(read(4, late_buffer, sizeof late_buffer) == sizeof late_buffer);
    assert(stat("/", &late_status[40]) == 0 && late_status[0].st_size == 0);
    late_status[0].st_size = 1;
  }
  ++count;
  other.join();
  std::free(strdup("the program's own"));
  assert(count == 2);
}
