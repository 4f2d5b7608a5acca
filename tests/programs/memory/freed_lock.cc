// A thread locks the mutex of an object that another one has freed, with everything in it.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --preemptions 0 %t
// RUN: %heddle run --json %t.json --out %t.out %t
// EXIT: 1
// OUT: use-after-free
// OUT: freed by main
// OUT: allocated by main
// JSON: j["failures"][0]["kind"] == "use-after-free"
// RUN: %heddle replay --times 20 %t.out/*-1.heddle
// EXIT: 1
#include <atomic>
#include <mutex>
#include <thread>
struct Account {
  std::mutex mutex;
  int balance = 0;
};
std::atomic<Account*> account;
int main() {
  account = new Account;
  std::thread other([] {
    if (Account* mine = account.load()) {
      std::lock_guard lock(mine->mutex);
      ++mine->balance;
    }
  });
  Account* mine = account.exchange(nullptr);
  std::this_thread::yield();
  mine->mutex.lock();
  mine->mutex.unlock();
  delete mine;
  other.join();
}
