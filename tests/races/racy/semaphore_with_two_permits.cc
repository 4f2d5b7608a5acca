// Races: with two permits both threads are inside.
#include <semaphore>
#include <thread>

std::counting_semaphore<2> permits(2);
int counter;

void increase() {
  permits.acquire();
  ++counter;  // race
  permits.release();
}

int main() {
  std::thread other(increase);
  increase();
  other.join();
}
