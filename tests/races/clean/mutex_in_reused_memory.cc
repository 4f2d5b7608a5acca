// No race: a mutex that was destroyed and made anew in the same memory is a new mutex.
#include <mutex>
#include <new>
#include <thread>

alignas(std::mutex) char room[sizeof(std::mutex)];
int counter;

int main() {
  for (int round = 0; round < 2; ++round) {
    auto* mutex = new (room) std::mutex;
    auto increase = [=] {
      std::lock_guard lock(*mutex);
      ++counter;
    };
    std::thread other(increase);
    increase();
    other.join();
    mutex->~mutex();
  }
}
