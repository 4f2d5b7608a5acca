// Races: nothing orders the detached thread with main.
#include <chrono>
#include <thread>

int data, seen;

int main() {
  std::thread([] {
    data = 42;  // race
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  seen = data;  // race
}
