// A pipe of one page. A write that does not fit waits for the reader; one that is larger than the
// pipe goes on in parts; small ones fill the page up, byte by byte, before one waits.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t large
// RUN: %heddle run --strategy dfs --json %t.json %t large
// JSON: j["verdict"] == "passed"
// RUN: %t small
// RUN: %heddle run --strategy dfs --json %t.json %t small
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --json %t.json %t stuck
// EXIT: 1
// OUT: main *waits to write descriptor 4 \(pipe\)
// JSON: j["failures"][0]["kind"] == "deadlock"
#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

constexpr int kPage = 4096;
char bytes[3 * kPage], seen[3 * kPage];

void read_all(int fd, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t got = read(fd, seen + at, size - at);
    assert(got > 0);
    at += got;
  }
}

int main(int, char** arguments) {
  for (size_t i = 0; i < sizeof bytes; ++i) bytes[i] = char(i * 7 + i / 256);
  int ends[2];
  assert(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, kPage) == kPage);
  if (std::strcmp(arguments[1], "large") == 0) {
    std::thread reader([&] { read_all(ends[0], sizeof bytes); });
    assert(write(ends[1], bytes, sizeof bytes) == sizeof bytes);
    reader.join();
    assert(std::memcmp(bytes, seen, sizeof bytes) == 0);
  } else if (std::strcmp(arguments[1], "small") == 0) {
    for (int i = 0; i < 10; ++i) assert(write(ends[1], bytes, 1) == 1);
    assert(write(ends[1], bytes, kPage - 10) == kPage - 10);
    std::thread reader([&] { read_all(ends[0], kPage); });
    assert(write(ends[1], bytes, kPage) == kPage);
    reader.join();
  } else {
    assert(write(ends[1], bytes, 1) == 1);
    assert(write(ends[1], bytes, kPage) == kPage);
  }
}
