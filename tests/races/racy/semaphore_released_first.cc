// Races: the item is announced before it is there.
#include <semaphore>
#include <thread>

std::binary_semaphore items(0);
int data, seen;

int main() {
  std::thread producer([] {
    items.release();
    data = 42;  // race
  });
  items.acquire();
  seen = data;  // race
  producer.join();
}
