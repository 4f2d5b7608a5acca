// Races: the reader does not come through call_once.
#include <mutex>
#include <thread>

std::once_flag once;
int data, seen;

int main() {
  std::thread initialiser([] {
    std::call_once(once, [] {
      data = 42;  // race
    });
  });
  seen = data;  // race
  initialiser.join();
}
