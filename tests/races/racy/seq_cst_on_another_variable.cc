// Races: the two threads use different atomics, however strong.
#include <atomic>
#include <chrono>
#include <thread>

int data, seen;
std::atomic<int> mine, yours;

int main() {
  std::thread writer([] {
    data = 42;  // race
    mine = 1;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  yours = 1;
  seen = data;  // race
  writer.join();
}
