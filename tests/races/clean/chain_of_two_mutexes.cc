// No race: order goes through the first mutex to the middle thread, and through the second on.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex first, second;
bool first_ready, second_ready;
int data;

int main() {
  std::thread writer([] {
    data = 42;
    std::lock_guard lock(first);
    first_ready = true;
  });
  std::thread between([] {
    bool seen;
    {
      std::lock_guard lock(first);
      seen = first_ready;
    }
    std::lock_guard lock(second);
    second_ready = seen;
  });
  bool seen;
  {
    std::lock_guard lock(second);
    seen = second_ready;
  }
  if (seen) assert(data == 42);
  writer.join();
  between.join();
}
