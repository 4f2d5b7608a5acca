// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run %t
// EXIT: 2
// OUT: fork
// OUT: fork.cc:10
#include <sys/wait.h>
#include <unistd.h>
int main() {
  pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
}
