// A bug that fewer preemptions first does not come to soon, and that --focus-var finds at once: by
// the variable's name, by that of a member, by a pattern, and by the name that heddle::name has
// given; but not by that of another member. A name that means nothing is refused.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O2 -g %s -o %t
// RUN: %heddle run --strategy best-first --order pb --executions 40 --json %t.json %t
// JSON: j["verdict"] == "incomplete"
// RUN: %heddle run --strategy best-first --order var,pb --focus-var 'Account::uses_' --executions 40 --json %t.json %t
// JSON: j["verdict"] == "incomplete"
// RUN: %heddle run --focus-var g_accounts --executions 10 --json %t.json %t
// EXIT: 1
// JSON: j["strategy"]["order"] == "var,ss,mdpor"
// RUN: %heddle run --strategy best-first --order var,pb --focus-var 'Account::balance_' --executions 10 --json %t.json %t
// EXIT: 1
// RUN: %heddle run --strategy best-first --order var,pb --focus-var 'bank::Acc*::bal*' --executions 10 --json %t.json %t
// EXIT: 1
// RUN: %heddle run --strategy best-first --order var,pb --focus-var "the savings" --executions 10 --json %t.json %t
// EXIT: 1
// OUT: atomic load the savings
// RUN: %heddle run --focus-var balance 2>&1 %t
// EXIT: 2
// OUT: --focus-var: the program has no global variable, member of one, or object named by heddle::name, 'balance'; did you mean 'balance_'\?
// RUN: %heddle run --focus-method withdrw 2>&1 %t
// EXIT: 2
// OUT: --focus-method: the program has no function 'withdrw'; did you mean 'withdraw'\?
// RUN: %heddle run --focus-method pthread_mutex_destroy 2>&1 %t
// EXIT: 2
// OUT: 'pthread_mutex_destroy' is in lib[a-z0-9.]*, which was not built with heddle-c\+\+
// RUN: %heddle run --strategy dfs --focus-var g_accounts 2>&1 %t
// EXIT: 2
// OUT: strategy dfs has no order
// RUN: %heddle run --strategy best-first --order var 2>&1 %t
// EXIT: 2
// OUT: --order var needs --focus-var
// RUN: %heddle run --strategy best-first --order pb --focus-var g_accounts 2>&1 %t
// EXIT: 2
// OUT: --focus-var makes no difference with --order pb; type --order var,pb
#include <heddle/heddle.h>

#include <array>
#include <atomic>
#include <cassert>
#include <thread>

namespace bank {

class Account {
 public:
  void name() { heddle::name(&balance_, "the savings"); }
  void deposit() { balance_++; }
  [[gnu::noinline]] void withdraw() { balance_ = balance_ - 1; }
  int balance() const { return balance_; }

 private:
  std::atomic<int> uses_{0};
  std::atomic<int> balance_{1};
};

}  // namespace bank

struct Accounts {
  int number = 2;
  std::array<bank::Account, 2> all;
};

Accounts g_accounts;
std::atomic<int> g_others;

int main() {
  bank::Account& account = g_accounts.all[1];
  account.name();
  auto work = [] {
    for (int i = 0; i < 15; ++i) g_others++;
  };
  std::thread first([&] {
    work();
    account.withdraw();
    work();
  });
  std::thread second([&] {
    work();
    account.deposit();
    work();
  });
  std::thread third(work);
  first.join();
  second.join();
  third.join();
  assert(account.balance() == 1);
}
