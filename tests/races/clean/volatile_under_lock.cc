// No race: volatile gives no order, but the mutex does.
#include <mutex>
#include <thread>

std::mutex mutex;
volatile int counter;

void increase() {
  std::lock_guard lock(mutex);
  counter = counter + 1;
}

int main() {
  std::thread other(increase);
  increase();
  other.join();
}
