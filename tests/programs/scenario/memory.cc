// What a script looks at and changes between transfers races with nobody; what its threads
// do to each other does.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t looks
// OUT: ^passed
// RUN: %t races
// EXIT: 1
// OUT: FAILED  data-race
// RUN: %t freed
// EXIT: 1
// OUT: FAILED  use-after-free
#include <heddle/scenario.h>

#include <cstdio>
#include <string>

using namespace heddle::script;

void looks(heddle::Script& s) {
  int x = 0;
  auto a = s.thread("A", [&] {
    x = 1;
    HEDDLE_YIELD("half");
    x = 2;
  });
  s.transfer(a).until("half");
  HEDDLE_ASSERT(x == 1);
  x = 5;
  s.transfer(a).until(end);
  HEDDLE_ASSERT(x == 2);
}

void races(heddle::Script& s) {
  int x = 0;
  auto a = s.thread("A", [&] { x = 1; });
  auto b = s.thread("B", [&] { x = 2; });
  s.transfer(a).until(end);
  s.transfer(b).until(end);
}

void freed(heddle::Script& s) {
  int* x = new int(0);
  auto a = s.thread("A", [&] {
    HEDDLE_YIELD("before");
    *x = 1;
  });
  s.transfer(a).until("before");
  delete x;
  s.transfer(a).until(end);
}

int main(int, char** argv) {
  std::string what = argv[1];
  heddle::Report report = heddle::scenario(what == "looks"   ? looks
                                           : what == "races" ? races
                                                             : freed);
  std::printf("%s", report.text().c_str());
  return report.exit_code();
}
