// Money goes from one account to another, and back: each transfer locks the account that pays
// first.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

static Account savings;
static Account checking;

static void save(int amount) {
  std::lock_guard from(checking.mutex);
  std::lock_guard to(savings.mutex);
  checking.balance -= amount;
  savings.balance += amount;
}

static void withdraw(int amount) {
  std::lock_guard from(savings.mutex);
  std::lock_guard to(checking.mutex);
  savings.balance -= amount;
  checking.balance += amount;
}

int main() {
  std::thread saver(save, 10);
  std::thread spender(withdraw, 20);
  saver.join();
  spender.join();
  return savings.balance + checking.balance == 200 ? 0 : 1;
}
