// A mistake this guards against: time goes on with the steps of all threads, and to look at a clock
// was a step that depends on none of them. A search with reduction then saw one distance between
// two looks only, and said passed where plain depth-first search finds an assertion.
//
// One thread looks at a clock twice, with an atomic in between, while another makes steps. Whatever
// time is made of: for each limit the two searches must say the same.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py dpor,orders 'verdict == dfs["verdict"] and kinds == {failure["kind"] for failure in dfs["failures"]}' %heddle -- %t steady 1,2500,8000,1000000
// RUN: python3 %S/inputs/searches.py dpor 'verdict == dfs["verdict"] and kinds == {failure["kind"] for failure in dfs["failures"]}' %heddle -- %t system,monotonic,realtime,day 1500,4000
// RUN: for limit in 1500 4000; do python3 %S/inputs/searches.py reduced 'verdict == dfs["verdict"] and kinds == {failure["kind"] for failure in dfs["failures"]}' %heddle -- %t steady $limit; python3 %S/inputs/searches.py --check dpor,orders 'verdict == dfs["verdict"] and kinds == {failure["kind"] for failure in dfs["failures"]}' %heddle -- %t steady $limit; done
// Time never goes back, in any search.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'verdict == "passed"' %heddle -- %t steady,system,monotonic,realtime,day forward
#include <sys/time.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>

#include "inputs/subject.h"

std::atomic<int> x, y;

long nanoseconds(const timespec& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; }

long now(const std::string& clock) {
  using std::chrono::duration_cast;
  if (clock == "steady") {
    auto time = std::chrono::steady_clock::now().time_since_epoch();
    return duration_cast<std::chrono::nanoseconds>(time).count();
  }
  if (clock == "system") {
    auto time = std::chrono::system_clock::now().time_since_epoch();
    return duration_cast<std::chrono::nanoseconds>(time).count();
  }
  if (clock == "day") {
    timeval time;
    gettimeofday(&time, nullptr);
    return time.tv_sec * 1'000'000'000 + time.tv_usec * 1'000;
  }
  timespec time;
  clock_gettime(clock == "monotonic" ? CLOCK_MONOTONIC : CLOCK_REALTIME, &time);
  return nanoseconds(time);
}

void test(const Words& words) {
  const std::string& clock = words[0];
  long distance = 0;
  std::thread looker([&] {
    long before = now(clock);
    x.store(1);
    distance = now(clock) - before;
  });
  std::thread other([] {
    for (int i = 1; i <= 3; ++i) y.store(i);
  });
  looker.join();
  other.join();
  if (words[1] == "forward") {
    HEDDLE_ASSERT(distance >= 0);
  } else {
    HEDDLE_ASSERT(distance < std::stol(words[1]));
  }
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
