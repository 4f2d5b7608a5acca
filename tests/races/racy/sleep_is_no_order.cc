// Races: waiting long enough is no synchronisation.
#include <chrono>
#include <thread>

int data, seen;

int main() {
  std::thread writer([] {
    data = 42;  // race
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  seen = data;  // race
  writer.join();
}
