// No race: the writer comes after all readers have unlocked; it writes what they have read.
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int data;
int seen[2];

void look(int who) {
  std::shared_lock lock(mutex);
  seen[who] = data;
}

int main() {
  std::thread one(look, 0), other(look, 1);
  {
    std::unique_lock lock(mutex);
    data = seen[0] + seen[1] + 1;
  }
  one.join();
  other.join();
}
