// A message is published by fences around relaxed accesses. ThreadSanitizer does not know fences,
// Helgrind does not know atomics.
#include <atomic>
#include <thread>

static int message = 0;
static std::atomic<bool> published{false};
static int received = -1;

static void publish() {
  message = 42;
  std::atomic_thread_fence(std::memory_order_release);
  published.store(true, std::memory_order_relaxed);
}

static void receive() {
  if (!published.load(std::memory_order_relaxed)) return;
  std::atomic_thread_fence(std::memory_order_acquire);
  received = message;
}

int main() {
  std::thread publisher(publish);
  std::thread receiver(receive);
  publisher.join();
  receiver.join();
  return received == -1 || received == 42 ? 0 : 1;
}
