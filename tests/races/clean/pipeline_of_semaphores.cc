// No race: a cell that is filled and emptied by turns.
#include <semaphore.h>

#include <cassert>
#include <thread>

sem_t empty, full;
int cell;

int main() {
  sem_init(&empty, 0, 1);
  sem_init(&full, 0, 0);
  std::thread producer([] {
    for (int i = 1; i <= 2; ++i) {
      sem_wait(&empty);
      cell = i;
      sem_post(&full);
    }
  });
  for (int i = 1; i <= 2; ++i) {
    sem_wait(&full);
    assert(cell == i);
    sem_post(&empty);
  }
  producer.join();
}
