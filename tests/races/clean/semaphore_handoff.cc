// No race: an acquire returns after the release that made it possible.
#include <cassert>
#include <semaphore>
#include <thread>

std::counting_semaphore<4> items(0);
int data;

int main() {
  std::thread producer([] {
    data = 42;
    items.release();
  });
  items.acquire();
  assert(data == 42);
  producer.join();
}
