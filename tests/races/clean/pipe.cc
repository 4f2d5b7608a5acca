// No race: what a thread did before it wrote to a pipe is before what follows the read of it.
#include <unistd.h>

#include <cassert>
#include <thread>

int ends[2];
int data;

int main() {
  assert(pipe(ends) == 0);
  std::thread writer([] {
    data = 42;
    char byte = 1;
    assert(write(ends[1], &byte, 1) == 1);
  });
  char byte;
  assert(read(ends[0], &byte, 1) == 1);
  assert(data == 42);
  writer.join();
}
