// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run %t
// EXIT: 2
// OUT: fdopen of a descriptor between threads
// OUT: stream_of_pipe.cc:12
#include <stdio.h>
#include <unistd.h>
int main() {
  int ends[2];
  if (pipe(ends) != 0) return 1;
  FILE* stream = fdopen(ends[1], "w");
  return fputs("x", stream) < 0;
}
