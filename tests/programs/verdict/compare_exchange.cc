// A mistake this guards against: a compare-exchange that fails was a write like one that succeeds,
// so that the order of two that fail, or of one and a load, made classes of its own. It is a read:
// it commutes with loads and with others that fail.
//
// All numbers are of classes: executions with the same order of dependent operations. Creation and
// join order nothing among the threads themselves.
// COMPILERS: gcc
// THOROUGH: clang
// TIMEOUT: 60
// RUN: %cxx -std=c++20 -O1 -g -mcx16 %s -o %t -latomic
// N threads with one compare-exchange each, 0 to their number: one wins, which one makes the class,
// and the others fail behind it in any order. N classes.
// RUN: for n in 2 3 4 5; do python3 %S/inputs/searches.py dpor,orders "verdict == 'passed' and j['distinct'] == $n" %heddle --keep-going -- %t 4 $n 0 0; done
// RUN: python3 %S/inputs/searches.py dpor "verdict == 'passed' and j['distinct'] == 3" %heddle --keep-going -- %t 1,2,8,16 3 0 0
// RUN: python3 %S/inputs/searches.py auto,dfs,reduced "verdict == 'passed' and j['distinct'] == 3" %heddle --keep-going -- %t 4 3 0 0
// RUN: python3 %S/inputs/searches.py --check dpor,orders "verdict == 'passed' and j['distinct'] == 3" %heddle --keep-going -- %t 4 3 0 0
// With R threads that load once: each load comes before the winner or after it. N * 2^R classes.
// RUN: for n in 2 3 4; do python3 %S/inputs/searches.py dpor "verdict == 'passed' and j['distinct'] == 2 * $n" %heddle --keep-going -- %t 4 $n 1 0; done
// RUN: for n in 2 3; do python3 %S/inputs/searches.py dpor "verdict == 'passed' and j['distinct'] == 4 * $n" %heddle --keep-going -- %t 4 $n 2 0; done
// RUN: python3 %S/inputs/searches.py dfs,orders "verdict == 'passed' and j['distinct'] == 4" %heddle --keep-going -- %t 4 2 1 0
// With one thread that stores 9: if it is first, all fail: 1 class. Else there is a winner before
// it, and each of the others fails before it or after it: N * 2^(N-1). For 2, 3, 4: 5, 13, 33.
// RUN: for numbers in '2 5' '3 13' '4 33'; do set -- $numbers; python3 %S/inputs/searches.py dpor "verdict == 'passed' and j['distinct'] == $2" %heddle --keep-going -- %t 4 $1 0 9; done
// RUN: python3 %S/inputs/searches.py dfs,orders "verdict == 'passed' and j['distinct'] == 5" %heddle --keep-going -- %t 4 2 0 9
// Only failing ones: three that expect what is never there, beside three stores, read as loads do:
// as many classes as there are ways to put 3 reads between 3 writes, C(6,3) = 20. And what they
// read is what must not be missed.
// RUN: python3 %S/inputs/searches.py dfs,dpor,orders "verdict == 'passed' and j['distinct'] == 20" %heddle --keep-going -- %t reads never
// RUN: python3 %S/inputs/searches.py all 'kinds == {"assertion"}' %heddle -- %t reads 123
// A store of the value that is there already stays a write: M of them have M! orders. So does an
// update that changes nothing, and a compare-exchange of 0 to 0, which succeeds.
// RUN: for how in store add same; do for numbers in '2 2' '3 6' '4 24'; do set -- $numbers; python3 %S/inputs/searches.py dpor "verdict == 'passed' and j['distinct'] == $2" %heddle --keep-going -- %t $how $1; done; done
// RUN: python3 %S/inputs/searches.py orders "verdict == 'passed' and j['distinct'] == 6" %heddle --keep-going -- %t store 3
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "inputs/subject.h"

template <typename T>
struct Shared {
  alignas(16) static inline T x;
  static bool exchange(T expected, T desired) {
    return __atomic_compare_exchange_n(&x, &expected, desired, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  }
};

void join(std::vector<std::thread>& threads) {
  for (std::thread& thread : threads) thread.join();
}

// One is `stored` by a thread of its own, if it is not 0.
template <typename T>
void compete(unsigned n, unsigned readers, unsigned stored) {
  bool won[8] = {};
  std::vector<std::thread> threads;
  threads.reserve(n + readers + 1);
  for (unsigned i = 0; i < n; ++i) {
    threads.emplace_back([i, &won] { won[i] = Shared<T>::exchange(0, static_cast<T>(i + 1)); });
  }
  if constexpr (sizeof(T) <= 8) {
    for (unsigned i = 0; i < readers; ++i) {
      threads.emplace_back([] { __atomic_load_n(&Shared<T>::x, __ATOMIC_SEQ_CST); });
    }
    if (stored != 0) {
      threads.emplace_back(
          [stored] { __atomic_store_n(&Shared<T>::x, static_cast<T>(stored), __ATOMIC_SEQ_CST); });
    }
  }
  join(threads);
  unsigned sum = 0;
  for (bool each : won) sum += each ? 1 : 0;
  HEDDLE_ASSERT(stored != 0 ? sum <= 1 : sum == 1);
}

void reads(const std::string& unwanted) {
  static std::atomic<int> x;
  std::string seen;
  std::thread writer([] {
    for (int i = 1; i <= 3; ++i) x.store(i);
  });
  std::thread reader([&] {
    for (int i = 0; i < 3; ++i) {
      int expected = 100;
      x.compare_exchange_strong(expected, 0);
      seen += static_cast<char>('0' + expected);
    }
  });
  writer.join();
  reader.join();
  HEDDLE_ASSERT(seen != unwanted);
}

void unchanged(const std::string& how, unsigned n) {
  static std::atomic<int> x;
  std::vector<std::thread> threads;
  threads.reserve(n);
  for (unsigned i = 0; i < n; ++i) {
    threads.emplace_back([&] {
      int expected = 0;
      if (how == "store") x.store(0);
      if (how == "add") x.fetch_add(0);
      if (how == "same") HEDDLE_ASSERT(x.compare_exchange_strong(expected, 0));
    });
  }
  join(threads);
}

void test(const Words& words) {
  const std::string& what = words[0];
  auto number = [&](int i) { return static_cast<unsigned>(std::stoul(words[i])); };
  if (what == "reads") reads(words[1]);
  if (what == "store" || what == "add" || what == "same") unchanged(what, number(1));
  if (what == "1") compete<uint8_t>(number(1), number(2), number(3));
  if (what == "2") compete<uint16_t>(number(1), number(2), number(3));
  if (what == "4") compete<uint32_t>(number(1), number(2), number(3));
  if (what == "8") compete<uint64_t>(number(1), number(2), number(3));
  if (what == "16") compete<unsigned __int128>(number(1), number(2), number(3));
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
