// A mistake this guards against: heddle::check forks, and a forked process wrote once more what its
// parent had buffered for the list of executions: lines stood in the file several times.
//
// The test uses a pipe, whose descriptors a worker has to set back. There is one line for each
// execution and one that names the columns; no line is there twice (sequence hashes differ).
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for what in pipe socket file crash exit; do for options in '--strategy dfs' '--strategy dfs --jobs 2' '--strategy dfs --isolation fork' '--strategy dfs --reduce dpor' ''; do HEDDLE_OPTIONS="$options" %t $what > told; test "$(wc -l < list.txt)" = "$(($(cat told) + 1))"; test -z "$(sort list.txt | uniq -d)"; test "$(cut -d' ' -f2 list.txt | sort | uniq -d)" = ""; done; done
// What the caller has buffered itself is written once, too.
// RUN: %t buffered pipe
// OUT: ^before, without a line's end; after$
// NOT: (?s)before.*before
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "inputs/subject.h"

std::string what;

void test() {
  int ends[2];
  int made = what == "socket" ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends);
  HEDDLE_ASSERT(made == 0);
  std::thread other([&] {
    for (char letter : {'a', 'b'}) HEDDLE_ASSERT(write(ends[1], &letter, 1) == 1);
    if (what == "crash") abort();
    if (what == "exit") exit(0);
  });
  for (int i = 0; i < 2; ++i) {
    char letter;
    HEDDLE_ASSERT(read(ends[0], &letter, 1) == 1);
  }
  if (what == "file") {
    FILE* file = tmpfile();
    fputs("some text", file);
    fclose(file);
  }
  other.join();
}

int main(int argc, char** argv) {
  bool buffered = std::string(argv[1]) == "buffered";
  what = argv[argc - 1];
  if (buffered) std::printf("before, without a line's end; ");
  heddle::Report report =
      heddle::check(test, heddle::Options{}.keep_going().quiet().list_executions("list.txt"));
  if (buffered) {
    std::printf("after\n");
  } else {
    std::printf("%llu\n", static_cast<unsigned long long>(report.executions()));
  }
}
