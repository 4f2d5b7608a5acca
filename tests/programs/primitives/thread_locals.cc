// Each thread has its own thread_local variables; they are made at their first use, and destroyed
// at the thread's end, before it is joined, the last one first. A function static is made once.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// Who makes the static is up to the schedule.
// RUN: %heddle run --preemptions 2 --json %t.json --show-output %t > %t.lines
// JSON: j["verdict"] == "passed"
// RUN: sort -u %t.lines | grep '^static' | tr '\n' ';'
// OUT: ^static by main;static by other;$
#include <unistd.h>

#include <cassert>
#include <cstring>
#include <string>
#include <thread>

void say(const char* line) { assert(write(1, line, std::strlen(line)) > 0); }

struct Local {
  explicit Local(const char* name) : name_(name) {}
  ~Local() {
    if (log != nullptr) *log += name_;
  }
  std::string* log = nullptr;

 private:
  std::string name_;
};
thread_local Local first("1"), second("2");
thread_local int count = 10;

const char* maker(const char* who) {
  static const std::string made_by = who;
  return made_by.c_str();
}

int main() {
  std::string log;
  std::thread other([&] {
    first.log = second.log = &log;
    ++count;
    assert(count == 11 && log.empty());
    maker("other");
  });
  count += 5;
  bool mine = std::strcmp(maker("main"), "main") == 0;
  other.join();
  assert(log == "21" && count == 15);
  say(mine ? "static by main\n" : "static by other\n");
}
