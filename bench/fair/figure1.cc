// Two philosophers who retry with try-locks, as in figure 1 of the paper: there is a schedule under
// which they never eat.
#include <mutex>
#include <thread>

std::mutex fork1, fork2;

void dine(std::mutex& first, std::mutex& second) {
  while (true) {
    first.lock();
    if (second.try_lock()) break;
    first.unlock();
  }
  first.unlock();
  second.unlock();
}

int main() {
  std::thread other([] { dine(fork1, fork2); });
  dine(fork2, fork1);
  other.join();
}
