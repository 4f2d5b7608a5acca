// Sigma: each thread writes to the slot whose number is shared, and moves the number on.
// program: sigma-5: -DTHREADS=5
// program: sigma-16: -DTHREADS=16
// bug: assertion: two threads may write to the same slot.
// options: --races explore
#include <cassert>
#include <thread>
#include <vector>

static int slots[THREADS + 1];
static int next = 0;

static void mark() {
  slots[next] = 1;
  ++next;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i) threads.emplace_back(mark);
  for (std::thread& thread : threads) thread.join();
  int sum = 0;
  for (int slot : slots) sum += slot;
  assert(sum == THREADS);
}
