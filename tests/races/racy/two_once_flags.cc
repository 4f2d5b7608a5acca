// Races: each thread has its own once flag for the same data.
#include <mutex>
#include <thread>

std::once_flag flags[2];
int data;

void initialise(int which) {
  std::call_once(flags[which], [] {
    data = 42;  // race
  });
}

int main() {
  std::thread other(initialise, 1);
  initialise(0);
  other.join();
}
