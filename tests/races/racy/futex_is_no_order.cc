// Races: the futex wakes, but the load of its word is relaxed.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>

std::atomic<int> ready;
int data, seen;

int main() {
  std::thread writer([] {
    data = 42;  // race
    ready.store(1, std::memory_order_release);
    syscall(SYS_futex, &ready, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  });
  while (ready.load(std::memory_order_relaxed) == 0) {
    syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  }
  seen = data;  // race
  writer.join();
}
