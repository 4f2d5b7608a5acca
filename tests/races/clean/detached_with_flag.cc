// No race: the detached thread says with a release that it is done; main waits for that.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> done;
int data;

int main() {
  std::thread([] {
    data = 42;
    done.store(true, std::memory_order_release);
    done.notify_one();
  }).detach();
  done.wait(false, std::memory_order_acquire);
  assert(data == 42);
}
