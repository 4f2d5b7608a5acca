// No race: the futex only sleeps and wakes; the order comes from the atomic that it looks at.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready;
int data;

int main() {
  std::thread writer([] {
    data = 42;
    ready.store(1, std::memory_order_release);
    syscall(SYS_futex, &ready, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  });
  while (ready.load(std::memory_order_acquire) == 0) {
    syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  }
  assert(data == 42);
  writer.join();
}
