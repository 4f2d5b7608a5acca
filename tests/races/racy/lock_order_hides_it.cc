// Races: only if the thread that writes after its unlock comes to the mutex first.
// rare: the thread that is created first nearly always comes first, and then there is an order
#include <mutex>
#include <thread>

std::mutex mutex;
int data;

int main() {
  std::thread first([] {
    data = 1;  // race
    std::lock_guard lock(mutex);
  });
  std::thread second([] {
    { std::lock_guard lock(mutex); }
    data = 2;  // race
  });
  first.join();
  second.join();
}
