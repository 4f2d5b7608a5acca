// Races: two readers at once, and both write.
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int hits;

void look() {
  std::shared_lock lock(mutex);
  ++hits;  // race
}

int main() {
  std::thread one(look), other(look);
  one.join();
  other.join();
}
