// Dining philosophers with try-locks, who all eat in the end: the first waits for both of his
// forks, the others wait for one, try the other, and put theirs back if they cannot have it.
// Declared state: where each philosopher stands. usage: philosophers NUMBER
#include <heddle/heddle.h>

#include <cstdlib>
#include <mutex>
#include <thread>

#include "places.h"

std::mutex forks[4];

void patient(int number) {
  self = number;
  at(1), forks[0].lock();
  at(2), forks[1].lock();
  at(3), forks[0].unlock();
  at(4), forks[1].unlock();
  at(5);
}

void polite(int number, int count) {
  std::mutex &first = forks[number], &second = forks[(number + 1) % count];
  self = number;
  while (true) {
    at(1), first.lock();
    at(2);
    if (second.try_lock()) break;
    at(3), first.unlock();
  }
  at(4), first.unlock();
  at(5), second.unlock();
  at(6);
}

int main(int, char** argv) {
  int count = std::atoi(argv[1]);
  heddle::state([] { return places; });
  std::thread guests[4];
  guests[0] = std::thread(patient, 0);
  for (int i = 1; i < count; ++i) guests[i] = std::thread(polite, i, count);
  for (int i = 0; i < count; ++i) guests[i].join();
}
