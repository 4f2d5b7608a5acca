// Reorder: threads set two plain variables, one after the other; the last thread looks at both.
// program: reorder-3: -DTHREADS=3
// program: reorder-4: -DTHREADS=4
// program: reorder-5: -DTHREADS=5
// program: reorder-10: -DTHREADS=10
// program: reorder-20: -DTHREADS=20
// program: reorder-50: -DTHREADS=50
// program: reorder-100: -DTHREADS=100
// bug: assertion: the checker may come between the two stores of the first setter.
// options: --races explore
// aim: reorder-3: 10
// aim: reorder-10: 30
// aim: reorder-100: 100
#include <cassert>
#include <thread>
#include <vector>

static int a = 0;
static int b = 0;

static void set() {
  a = 1;
  b = -1;
}

static void check() {
  int first = a;
  int second = b;
  assert((first == 0 && second == 0) || (first == 1 && second == -1));
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i < THREADS; ++i) threads.emplace_back(set);
  threads.emplace_back(check);
  for (std::thread& thread : threads) thread.join();
}
