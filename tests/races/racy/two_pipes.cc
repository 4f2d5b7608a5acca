// Races: each thread writes to a pipe of its own, and reads nothing from the other.
#include <unistd.h>

#include <cassert>
#include <thread>

int first[2], second[2];
int counter;

void work(int* ends) {
  char byte = 1;
  assert(write(ends[1], &byte, 1) == 1);
  assert(read(ends[0], &byte, 1) == 1);
  ++counter;  // race
}

int main() {
  assert(pipe(first) == 0 && pipe(second) == 0);
  std::thread other(work, first);
  work(second);
  other.join();
}
