// Search strategies as scripts of a few lines. The numbers are derived beside them.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// OUT: ^one after the other: 6
// OUT: ^at most 0 preemptions: 6
// OUT: ^at most 1 preemption: 42
// OUT: ^unbounded: 1680
// OUT: ^--preemptions 1: 42
// OUT: ^model: 6 42 1680
// OUT: ^one preemption in withdraw: failed in 3
// OUT: ^by priority: 1
#include <heddle/scenario.h>

#include <atomic>
#include <cstdio>
#include <vector>

using namespace heddle::script;
using heddle::Script;

void tell(const char* name, const heddle::Report& report) {
  std::printf("%s: %s%lu\n", name, report.ok() ? "" : "failed in ",
              static_cast<unsigned long>(report.executions()));
}

// Three threads of one operation: each begins, increments and ends, which is 3 steps.
void three(Script& s, std::atomic<int>& x) {
  for (int i = 0; i < 3; ++i) s.thread("T", [&x] { ++x; });
}

// All orders: 3! = 6.
void one_after_the_other(Script& s) {
  std::atomic<int> x{0};
  three(s, x);
  while (!s.all_ended()) s.transfer(any).until(end);
  HEDDLE_ASSERT(x == 3);
}

// All interleavings: 9! / 3!^3 = 1680. With a bound, a model that shares nothing with Heddle counts
// them: a switch away from a thread that could go on is a preemption.
long model(std::vector<int> left, int running, int preemptions) {
  long ways = 0;
  bool any_left = false;
  for (size_t t = 0; t < left.size(); ++t) {
    if (left[t] == 0) continue;
    any_left = true;
    bool goes_on = running >= 0 && left[running] > 0;
    int cost = goes_on && static_cast<int>(t) != running ? 1 : 0;
    if (cost > preemptions) continue;
    std::vector<int> rest = left;
    --rest[t];
    ways += model(rest, static_cast<int>(t), preemptions - cost);
  }
  return any_left ? ways : 1;
}

void bounded(Script& s, int bound) {
  std::atomic<int> x{0};
  three(s, x);
  Thread last;
  int preemptions = 0;
  while (!s.all_ended()) {
    bool goes_on = preemptions == bound && last != Thread() && !s.ended(last);
    Thread now = goes_on ? s.transfer(last).until(next) : s.transfer(any).until(next);
    if (last != Thread() && now != last && !s.ended(last)) ++preemptions;
    last = now;
  }
  HEDDLE_ASSERT(x == 3);
}

struct Account {
  std::atomic<int> balance{10};
  __attribute__((noinline)) void withdraw(int amount) {
    if (balance >= amount) balance -= amount;
  }
};

// A thread is stopped once inside of the function, at any of its operations; the others then run.
void one_preemption_in_withdraw(Script& s) {
  Account account;
  auto a = s.thread("A", [&] { account.withdraw(10); });
  s.thread("B", [&] { account.withdraw(10); });
  s.transfer(a).until(enters("Account::withdraw"));
  s.transfer(a).until(any);
  while (!s.all_ended()) s.transfer(any).except(a).until(end), s.transfer(a).until(end);
  HEDDLE_ASSERT(account.balance >= 0);
}

// The first that can go, by the order of creation.
void by_priority(Script& s) {
  std::atomic<int> x{0};
  std::vector<Thread> threads;
  for (int i = 0; i < 3; ++i) threads.push_back(s.thread("T", [&x] { ++x; }));
  while (!s.all_ended()) {
    for (const Thread& thread : threads) {
      if (s.ended(thread) || s.blocked(thread)) continue;
      s.transfer(thread).until(next);
      break;
    }
  }
  HEDDLE_ASSERT(x == 3);
}

int main() {
  tell("one after the other", heddle::scenario(one_after_the_other));
  tell("at most 0 preemptions", heddle::scenario([](Script& s) { bounded(s, 0); }));
  tell("at most 1 preemption", heddle::scenario([](Script& s) { bounded(s, 1); }));
  tell("unbounded", heddle::scenario([](Script& s) { bounded(s, 100); }));
  heddle::Report option = heddle::scenario(
      [](Script& s) {
        std::atomic<int> x{0};
        three(s, x);
        while (!s.all_ended()) s.transfer(any).until(next);
      },
      heddle::Options{}.preemptions(1));
  tell("--preemptions 1", option);
  std::printf("model: %ld %ld %ld\n", model({3, 3, 3}, -1, 0), model({3, 3, 3}, -1, 1),
              model({3, 3, 3}, -1, 100));
  tell("one preemption in withdraw", heddle::scenario(one_preemption_in_withdraw));
  tell("by priority", heddle::scenario(by_priority));
}
