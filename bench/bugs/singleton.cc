// A configuration that is set by one thread and then changed by others, each of which has to come
// after the first.
// program: singleton
// bug: assertion: a change that comes before the first setting is written over.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static char mode = 'x';

static void set(char value) {
  std::lock_guard guard(mutex);
  mode = value;
}

int main() {
  std::vector<std::thread> threads;
  for (char value : {'a', 'b', 'c', 'd', 'd'}) threads.emplace_back(set, value);
  for (std::thread& thread : threads) thread.join();
  assert(mode != 'a');
}
