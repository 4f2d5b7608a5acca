// No race: both accounts are locked for a transfer, in whatever order.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 10;
} a, b;

void transfer(Account& from, Account& to) {
  std::scoped_lock both(from.mutex, to.mutex);
  --from.balance;
  ++to.balance;
}

int main() {
  std::thread there([] { transfer(a, b); }), back([] { transfer(b, a); });
  there.join();
  back.join();
  assert(a.balance == 10 && b.balance == 10);
}
