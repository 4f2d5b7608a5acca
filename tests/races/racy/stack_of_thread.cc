// Races: main writes a variable on the thread's stack while the thread uses it.
#include <atomic>
#include <chrono>
#include <semaphore>
#include <thread>

std::atomic<int*> there;
std::binary_semaphore done(0);

int main() {
  std::thread lender([] {
    int local = 1;
    there.store(&local);
    local = 2;  // race
    done.acquire();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (int* lent = there.load()) *lent = 3;  // race
  done.release();
  lender.join();
}
