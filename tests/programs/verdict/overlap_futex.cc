// A mistake this guards against: a thread waits on a futex that is one half of a word of 64 bits,
// and another changes the whole word (as glibc's semaphores do). The two were taken for
// independent, and the wake-up that is lost in one of their orders was never seen by a search with
// reduction.
//
// The writer forgets to wake: a deadlock if the waiter comes first, and only then.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"deadlock"}' %heddle -- %t 'whole lower,whole upper,half upper,byte upper,byte lower'
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"deadlock"}' %heddle -- %t whole lower,upper
// RUN: python3 %S/inputs/searches.py --check all 'kinds == {"deadlock"}' %heddle -- %t whole upper
// If it wakes the half, all is well.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor,orders 'verdict == "passed"' %heddle -- %t woken lower,upper
// To wait on the other half is independent of what is done to this one.
// RUN: python3 %S/inputs/searches.py reduced 'verdict == "passed" and j["executions"] == 1' %heddle -- %t half other
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "inputs/subject.h"

alignas(8) uint64_t word;

void test(const Words& words) {
  bool lower = words[1] == "lower" || words[1] == "other";
  uint32_t* half = reinterpret_cast<uint32_t*>(&word) + (lower ? 0 : 1);
  std::thread writer([&] {
    const std::string& what = words[0];
    if (what == "half") {
      __atomic_store_n(reinterpret_cast<uint32_t*>(&word) + 1, 1, __ATOMIC_SEQ_CST);
    } else if (what == "byte") {
      __atomic_fetch_add(reinterpret_cast<uint8_t*>(half) + 2, 1, __ATOMIC_SEQ_CST);
    } else {
      __atomic_fetch_add(&word, 1ull << 32 | 1, __ATOMIC_SEQ_CST);
    }
    if (what == "woken") syscall(SYS_futex, half, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  });
  std::thread waiter([&] {
    // 7 is never there: that call returns at once, in each order.
    unsigned expected = words[1] == "other" ? 7 : 0;
    syscall(SYS_futex, half, FUTEX_WAIT, expected, nullptr, nullptr, 0);
  });
  writer.join();
  waiter.join();
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
