// No race: the read of an eventfd returns after the write that made it possible.
#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int event;
int data;

int main() {
  event = eventfd(0, 0);
  std::thread writer([] {
    data = 42;
    eventfd_write(event, 1);
  });
  eventfd_t count;
  eventfd_read(event, &count);
  assert(data == 42 && count == 1);
  writer.join();
}
