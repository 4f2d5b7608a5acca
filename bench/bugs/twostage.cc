// Two stages: threads set one variable under one lock, and then another under another lock; the
// last thread looks at both in the same way.
// program: twostage-3: -DTHREADS=3
// program: twostage-5: -DTHREADS=5
// program: twostage-10: -DTHREADS=10
// program: twostage-20: -DTHREADS=20
// program: twostage-50: -DTHREADS=50
// program: twostage-100: -DTHREADS=100
// bug: assertion: the reader may come between the stages of the first setter.
// options: --races explore
// aim: twostage-3: 10
// aim: twostage-20: 50
// aim: twostage-100: 100
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock1;
static std::mutex lock2;
static int data1 = 0;
static int data2 = 0;

static void set() {
  {
    std::lock_guard guard(lock1);
    data1 = 1;
  }
  std::lock_guard guard(lock2);
  data2 = data1 + 1;  // reads what lock1 guards, as the original does
}

static void look() {
  int first = 0;
  {
    std::lock_guard guard(lock1);
    first = data1;
  }
  if (first == 0) return;
  std::lock_guard guard(lock2);
  assert(data2 == first + 1);
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i < THREADS; ++i) threads.emplace_back(set);
  threads.emplace_back(look);
  for (std::thread& thread : threads) thread.join();
}
