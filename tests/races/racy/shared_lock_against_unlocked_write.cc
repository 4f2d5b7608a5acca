// Races: the reader locks, the writer does not.
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int data, seen;

int main() {
  std::thread reader([] {
    std::shared_lock lock(mutex);
    seen = data;  // race
  });
  data = 1;  // race
  reader.join();
}
