// Two threads that increase a counter, which is a data race.
#include <heddle/heddle.h>

#include <thread>

int counter = 0;

void increase() {
  int old = counter;
  counter = old + 1;
}

int main() {
  std::thread one(increase);
  std::thread other(increase);
  one.join();
  other.join();
}
