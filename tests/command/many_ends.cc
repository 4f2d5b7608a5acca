// Two threads with five updates of a counter each; how it ends depends on the numbers that the
// first one gets (252 ways), and on the arguments:
//
//   N       what few executions are: those where the numbers come to N
//   fail    an assertion in many executions, another in few
//   crash   in few
//   kill    the process kills itself in few
//   assume  every second does not count
//   state   the counter is the declared state
#include <heddle/heddle.h>
#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

int main(int count, char** words) {
  std::atomic<int> counter = 0;
  int sum = 0;
  const int rare = count > 1 ? std::atoi(words[1]) : 0;
  auto has = [&](const char* wanted) {
    for (int i = 1; i < count; ++i) {
      if (std::strcmp(words[i], wanted) == 0) return true;
    }
    return false;
  };
  if (has("state")) {
    heddle::state([&] { return counter.load(); });
  }
  std::thread first([&] {
    for (int i = 0; i < 5; ++i) sum = sum * 2 + counter.fetch_add(1);
  });
  std::thread second([&] {
    for (int i = 0; i < 5; ++i) counter.fetch_add(1);
  });
  first.join();
  second.join();
  if (has("assume")) heddle::assume(sum % 2 == 0);
  if (has("fail")) {
    HEDDLE_ASSERT(sum % 7 != 3);
    HEDDLE_ASSERT(sum != rare);
  }
  if (sum == rare) {
    if (has("crash")) *static_cast<volatile int*>(nullptr) = 0;
    if (has("kill")) raise(SIGKILL);
  }
}
