// How often its threads count depends on the environment: a test that is another one on another
// machine.
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> n;

void count() {
  const char* more = std::getenv("TIMES");
  int times = more != nullptr ? std::atoi(more) : 4;
  for (int i = 0; i < times; ++i) ++n;
}

int main() {
  std::thread a(count), b(count);
  a.join();
  b.join();
}
