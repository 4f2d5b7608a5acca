// Races: counting down does not wait for the others.
#include <chrono>
#include <latch>
#include <thread>

std::latch both(2);
int data, seen;

int main() {
  std::thread writer([] {
    data = 42;  // race
    both.count_down();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  both.count_down();
  seen = data;  // race
  writer.join();
}
