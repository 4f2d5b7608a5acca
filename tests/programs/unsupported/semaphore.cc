// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run %t
// EXIT: 2
// OUT: SYS_futex|sem_wait
#include <semaphore>
#include <thread>
int main() {
  std::counting_semaphore<4> semaphore(0);
  std::thread other([&] { semaphore.release(); });
  semaphore.acquire();
  other.join();
}
