// Races: the address of a thread's own variable is given to another thread.
#include <atomic>
#include <chrono>
#include <thread>

thread_local int mine;
std::atomic<int*> leaked;
int seen;

int main() {
  std::thread owner([] {
    leaked.store(&mine);
    ++mine;  // race
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (int* there = leaked.load()) seen = *there;  // race
  owner.join();
}
