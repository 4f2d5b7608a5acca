// No race: only who got the permit looks.
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
  if (items.try_acquire()) assert(data == 42);
  producer.join();
}
