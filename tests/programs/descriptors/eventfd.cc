// An eventfd as a semaphore, as a counter, and full.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t semaphore
// RUN: %heddle run --strategy dfs --json %t.json %t semaphore
// JSON: j["verdict"] == "passed"
// RUN: %heddle run --strategy dfs --json %t.json %t short
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "deadlock"
// RUN: %heddle run --strategy dfs --json %t.json --show-output %t counter > %t.lines
// RUN: sort -u %t.lines | grep '^sum' | tr '\n' ';'
// OUT: ^sum 1;sum 2;sum 3;$
// RUN: %t full
// RUN: %heddle run --strategy dfs --json %t.json %t full
// JSON: j["verdict"] == "passed"
#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <thread>

int event;

void take_one() {
  eventfd_t value = 0;
  assert(eventfd_read(event, &value) == 0 && value == 1);
}

int main(int, char** arguments) {
  const char* mode = arguments[1];
  if (std::strcmp(mode, "semaphore") == 0 || std::strcmp(mode, "short") == 0) {
    event = eventfd(0, EFD_SEMAPHORE);
    std::thread a(take_one), b(take_one);
    assert(eventfd_write(event, *mode == 's' && mode[1] == 'e' ? 2 : 1) == 0);
    a.join();
    b.join();
  } else if (std::strcmp(mode, "counter") == 0) {
    event = eventfd(0, 0);
    std::thread a([] { eventfd_write(event, 1); }), b([] { eventfd_write(event, 2); });
    eventfd_t value = 0;
    assert(eventfd_read(event, &value) == 0);  // what was written before it: one, or both
    char line[] = {'s', 'u', 'm', ' ', char('0' + value), '\n'};
    assert(write(1, line, sizeof line) == sizeof line);
    a.join();
    b.join();
  } else {
    event = eventfd(0, 0);
    constexpr eventfd_t kMost = 0xfffffffffffffffe;
    assert(eventfd_write(event, kMost - 1) == 0);
    std::thread reader([] {
      eventfd_t value = 0;
      assert(eventfd_read(event, &value) == 0 && value == kMost - 1);
    });
    assert(eventfd_write(event, 5) == 0);  // only when there is room for 5
    reader.join();
    eventfd_t value = 0;
    assert(eventfd_read(event, &value) == 0 && value == 5);
  }
}
