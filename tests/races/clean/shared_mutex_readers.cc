// No race: two readers at once only read.
#include <cassert>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int data = 1;

void look() {
  std::shared_lock lock(mutex);
  assert(data == 1 || data == 2);
}

int main() {
  std::thread one(look), other(look);
  {
    std::unique_lock lock(mutex);
    data = 2;
  }
  one.join();
  other.join();
}
