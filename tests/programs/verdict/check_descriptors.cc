// A mistake this guards against: workers of heddle::check inherited the files that the engine had
// open just then (a list, the modules that a report was made from). The numbers that the test's own
// files got depended on when its worker was started: other values, and other fingerprints, in a
// search that began again, and with a failure found or not.
//
// The test fails where a file gets another number than the caller of heddle::check would get. For
// the engine to have files open when it starts workers: one execution of the first choice fails and
// is reported; both threads of the second change the environment, so that the search begins again.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py --check all 'kinds == {"assertion"} and len(j["failures"]) == 1 and "on purpose" in str(j["failures"])' %heddle --keep-going --list-executions list.txt -- %t
// In a second call, too, when the first has left its files behind; and in a replay.
// RUN: HEDDLE_OPTIONS="--keep-going --quiet" %t check again
// EXIT: 1
// RUN: %heddle replay heddle-out/*-check2-1.heddle
// EXIT: 1
// OUT: on purpose
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <thread>

#include "inputs/subject.h"

int expected;

int number_of_a_file() {
  int fd = open("/dev/null", O_RDONLY);
  close(fd);
  return fd;
}

void test() {
  bool fails_on_purpose = heddle::choose(2) == 0;
  std::thread other([&] {
    if (!fails_on_purpose) setenv("HEDDLE_TEST", "other", 1);
  });
  if (!fails_on_purpose) setenv("HEDDLE_TEST", "main", 1);
  other.join();
  HEDDLE_ASSERT(number_of_a_file() == expected);
  if (fails_on_purpose) HEDDLE_ASSERT(!"on purpose");
}

int main(int argc, char** argv) {
  Words words(argv + 1, argv + argc);
  if (words.empty() || words[0] != "check") return 2;
  expected = number_of_a_file();
  if (words.size() > 1) heddle::check(test);
  return heddle::check(test).exit_code();
}
