// A result is published by an atomic flag, which Helgrind takes for an ordinary variable.
#include <atomic>
#include <thread>

static int result = 0;
static std::atomic<int> ready{0};
static int seen = 7;

static void compute() {
  result = 7;
  ready.store(1, std::memory_order_release);
}

static void consume() {
  if (ready.load(std::memory_order_acquire) == 1) {
    seen = result;
  }
}

int main() {
  std::thread computer(compute);
  std::thread consumer(consume);
  computer.join();
  consumer.join();
  return seen == 7 ? 0 : 1;
}
