// No race: main uses a variable on the thread's stack while the thread waits for it.
#include <cassert>
#include <semaphore>
#include <thread>

int* there;
std::binary_semaphore lent(0), back(0);

int main() {
  std::thread lender([] {
    int local = 1;
    there = &local;
    lent.release();
    back.acquire();
    assert(local == 2);
  });
  lent.acquire();
  ++*there;
  back.release();
  lender.join();
}
