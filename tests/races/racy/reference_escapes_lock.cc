// Races: the getter locks, but hands out a reference that is used after the unlock.
#include <mutex>
#include <thread>

class Guarded {
 public:
  int& value() {
    std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
} guarded;

int main() {
  std::thread other([] {
    ++guarded.value();  // race
  });
  ++guarded.value();  // race
  other.join();
}
