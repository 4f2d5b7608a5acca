// An account that is opened and closed without its lock, by the only thread there is, and audited
// without it by one of several.
#include <thread>

#include "annotated_mutex.h"

class Account {
 public:
  void open(int amount) { balance_ = amount; }

  void deposit(int amount) {
    Guard guard(mutex_);
    balance_ += amount;
    ++deposits_;
  }

  int audit() { return balance_; }

  int count() { return deposits_; }

  int close() { return balance_; }

 private:
  Mutex mutex_;
  int balance_ ANALYSED(guarded_by(mutex_)) = 0;
  int deposits_ ANALYSED(guarded_by(mutex_)) = 0;
};

static Account account;
static int audited = 0;
static int counted = 0;

static void auditor() { audited = account.audit(); }
static void counter() { counted = account.count(); }

int main() {
  account.open(100);
  std::thread depositor([] { account.deposit(5); });
  std::thread audits(auditor);
  std::thread counts(counter);
  depositor.join();
  audits.join();
  counts.join();
  return account.close() == 105 && audited >= 100 && counted <= 1 ? 0 : 1;
}
