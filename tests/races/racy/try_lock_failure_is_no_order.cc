// Races: that the mutex is taken says nothing about what its holder has written.
#include <chrono>
#include <mutex>
#include <thread>

std::mutex mutex;
int data, seen;

int main() {
  std::thread holder([] {
    data = 42;  // race
    mutex.lock();
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    mutex.unlock();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (mutex.try_lock()) {
    mutex.unlock();
  } else {
    seen = data;  // race
  }
  holder.join();
}
