// Races: main has joined one thread, and reads what the other writes.
#include <chrono>
#include <thread>

int data, seen;

int main() {
  std::thread writer([] {
    data = 42;  // race
  });
  std::thread other([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
  other.join();
  seen = data;  // race
  writer.join();
}
