// Races: the writer locks, the reader does not.
#include <mutex>
#include <thread>

std::mutex mutex;
int data, seen;

int main() {
  std::thread writer([] {
    std::lock_guard lock(mutex);
    data = 42;  // race
  });
  seen = data;  // race
  writer.join();
}
