// Loops that end, and count their rounds in memory that no state is compared of: in arguments, in
// the environment, in blocks that libc has allocated, in variables of who calls heddle::check. None
// is a livelock; the same loop that changes nothing is one, wherever it writes.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for kind in volatile plain; do for where in heap text line path argument environment caller; do HEDDLE_OPTIONS='--seconds 30' %heddle run --seconds 30 --json %t.$where.json %t $kind $where || exit 1; done; done
// RUN: for kind in volatile plain; do HEDDLE_OPTIONS='--quiet' %t $kind check; done
// RUN: for kind in volatile plain; do %heddle run --quiet --json %t.json %t $kind nothing && exit 1; grep -q '"kind": "livelock"' %t.json; done
#include <heddle/heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <string>
#include <thread>

bool is_volatile;

// Out of line, so that the count is in no register of the loop.
__attribute__((noinline)) bool is_last(char* count, char more) {
  char value = is_volatile ? *const_cast<volatile char*>(count) : *count;
  if (is_volatile) {
    *const_cast<volatile char*>(count) = static_cast<char>(value + more);
  } else {
    *count = static_cast<char>(value + more);
  }
  return value == 'y';
}

__attribute__((noinline)) void go_round(char* count, char more) {
  *count = 'a';
  while (!is_last(count, more)) std::this_thread::yield();
  *count = 'a';
}

char* text() {
  char* made = nullptr;
  return asprintf(&made, "%s", "text") < 0 ? nullptr : made;
}

char* line() {
  FILE* file = fopen("/proc/version", "r");
  char* made = nullptr;
  size_t size = 0;
  bool has_read = getline(&made, &size, file) > 0;
  fclose(file);
  return has_read ? made : nullptr;
}

int main(int, char** argv) {
  is_volatile = std::string(argv[1]) == "volatile";
  std::string where = argv[2];
  char of_main = 'a';
  if (where == "check") {
    auto test = [&] { std::thread(go_round, &of_main, 1).join(); };
    return heddle::check(test).exit_code();
  }
  char* count = where == "text"          ? text()
                : where == "line"        ? line()
                : where == "path"        ? realpath("/", nullptr)
                : where == "argument"    ? argv[1]
                : where == "environment" ? getenv("HEDDLE_OPTIONS")
                : where == "caller"      ? &of_main
                                         : static_cast<char*>(malloc(8));
  if (count == nullptr) return 1;
  std::thread(go_round, count, where == "nothing" ? 0 : 1).join();
}
