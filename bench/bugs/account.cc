// Accounts: one thread pays in, another transfers, the third withdraws; the money must stay.
// program: account
// bug: assertion: to withdraw looks at the balance and changes it in two critical sections, so that
//   a deposit between them is lost.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  int balance() {
    std::lock_guard guard(mutex_);
    return balance_;
  }
  void deposit(int amount) {
    std::lock_guard guard(mutex_);
    balance_ += amount;
  }
  bool withdraw(int amount) {
    int before = balance();
    if (before < amount) return false;
    std::lock_guard guard(mutex_);
    balance_ = before - amount;
    return true;
  }

 private:
  std::mutex mutex_;
  int balance_;
};

static Account first(100);
static Account second(100);

static void transfer(Account& from, Account& to, int amount) {
  if (from.withdraw(amount)) to.deposit(amount);
}

int main() {
  std::thread depositor([] { first.deposit(30); });
  std::thread mover([] { transfer(first, second, 50); });
  std::thread spender([] { second.withdraw(20); });
  depositor.join();
  mover.join();
  spender.join();
  assert(first.balance() + second.balance() == 100 + 100 + 30 - 20);
}
