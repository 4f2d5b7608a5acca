// Races: letting others go first is no synchronisation.
#include <thread>

int data, seen;

int main() {
  std::thread writer([] {
    data = 42;  // race
  });
  std::this_thread::yield();
  seen = data;  // race
  writer.join();
}
