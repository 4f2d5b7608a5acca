// Races: the byte goes into the pipe before the data are there.
#include <unistd.h>

#include <cassert>
#include <thread>

int ends[2];
int data, seen;

int main() {
  assert(pipe(ends) == 0);
  std::thread writer([] {
    char byte = 1;
    assert(write(ends[1], &byte, 1) == 1);
    data = 42;  // race
  });
  char byte;
  assert(read(ends[0], &byte, 1) == 1);
  seen = data;  // race
  writer.join();
}
