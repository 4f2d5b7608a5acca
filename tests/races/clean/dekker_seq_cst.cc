// No race: both flags are raised before either is looked at, so at most one goes in.
#include <atomic>
#include <thread>

std::atomic<bool> wants[2];
int counter;

void work(int me) {
  wants[me] = true;
  if (!wants[1 - me]) ++counter;
  wants[me] = false;
}

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
}
