// Races: two readers wrote nothing into the pipe that could order them with each other.
#include <unistd.h>

#include <cassert>
#include <thread>

int ends[2];
int data;

void take() {
  char byte;
  assert(read(ends[0], &byte, 1) == 1);
  ++data;  // race
}

int main() {
  assert(pipe(ends) == 0);
  assert(write(ends[1], "ab", 2) == 2);
  std::thread other(take);
  take();
  other.join();
}
