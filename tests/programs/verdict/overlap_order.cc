// A mistake this guards against: what a release store gives was kept with the address of the store,
// and what an acquire load gets was looked for at the address of the load. A thread that saw half
// of a word of 16 bytes then had not got what the compare-exchange of all of it had given: a data
// race was reported where there is none.
//
// One thread writes plain data, then publishes by a release operation on some bytes; the other
// reads some bytes with acquire, and reads the data if it saw the number. No race.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g -mcx16 %s -o %t -latomic
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'verdict == "passed"' %heddle -- %t release '16 0 8 0,16 0 8 8,16 0 4 12,16 0 1 9,8 8 16 0,8 0 16 0,8 0 4 4,8 8 1 15,4 4 8 0,1 9 16 0,2 2 4 0'
// RUN: python3 %S/inputs/searches.py all 'verdict == "passed"' %heddle -- %t release '16 0 8 8,8 8 16 0,8 0 4 4'
// RUN: python3 %S/inputs/searches.py --check auto,dfs,dpor,orders 'verdict == "passed"' %heddle -- %t release 16 0 8 8
// The same by a release fence before a relaxed operation.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'verdict == "passed"' %heddle -- %t fence '16 0 8 8,8 8 16 0,8 0 4 4'
// A third thread has written the lower half since, relaxed: the upper one is still what was
// released.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'verdict == "passed"' %heddle -- %t overwritten 16 0 8 8
// Relaxed, nothing is given: the race is real, and found.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"data-race"}' %heddle -- %t relaxed '16 0 8 0,16 0 8 8,8 8 16 0,8 0 4 4,4 4 8 0'
// RUN: python3 %S/inputs/searches.py orders 'kinds == {"data-race"}' %heddle -- %t relaxed 16 0 8 8
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "inputs/subject.h"

using Wide = unsigned __int128;
alignas(16) unsigned char word[16];
int data;

template <typename T>
void put(unsigned offset, bool release) {
  T* place = reinterpret_cast<T*>(word + offset);
  T ones = static_cast<T>(static_cast<T>(~T{0}) / 0xff);
  __atomic_store_n(place, ones, release ? __ATOMIC_RELEASE : __ATOMIC_RELAXED);
}

void publish(unsigned size, unsigned offset, bool release) {
  if (size == 1) put<uint8_t>(offset, release);
  if (size == 2) put<uint16_t>(offset, release);
  if (size == 4) put<uint32_t>(offset, release);
  if (size == 8) put<uint64_t>(offset, release);
  if (size == 16) {
    Wide before = 0;
    auto* place = reinterpret_cast<Wide*>(word);
    if (release) {
      __atomic_compare_exchange_n(place, &before, ~Wide{0} / 0xff, false, __ATOMIC_RELEASE,
                                  __ATOMIC_RELAXED);
    } else {
      __atomic_compare_exchange_n(place, &before, ~Wide{0} / 0xff, false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED);
    }
  }
}

bool published(unsigned size, unsigned offset) {
  void* place = word + offset;
  if (size == 1) return __atomic_load_n(static_cast<uint8_t*>(place), __ATOMIC_ACQUIRE) != 0;
  if (size == 2) return __atomic_load_n(static_cast<uint16_t*>(place), __ATOMIC_ACQUIRE) != 0;
  if (size == 4) return __atomic_load_n(static_cast<uint32_t*>(place), __ATOMIC_ACQUIRE) != 0;
  if (size == 8) return __atomic_load_n(static_cast<uint64_t*>(place), __ATOMIC_ACQUIRE) != 0;
  Wide value = ~Wide{0};  // never there: it fails, and reads
  __atomic_compare_exchange_n(static_cast<Wide*>(place), &value, value, false, __ATOMIC_ACQUIRE,
                              __ATOMIC_ACQUIRE);
  return value != 0;
}

void test(const Words& words) {
  const std::string& how = words[0];
  auto number = [&](int i) { return static_cast<unsigned>(std::stoul(words[i])); };
  unsigned write_size = number(1), write_offset = number(2);
  unsigned read_size = number(3), read_offset = number(4);
  std::thread writer([&] {
    data = 1;
    if (how == "fence") std::atomic_thread_fence(std::memory_order_release);
    publish(write_size, write_offset, how == "release" || how == "overwritten");
  });
  std::thread third([&] {
    if (how == "overwritten") {
      __atomic_store_n(reinterpret_cast<uint64_t*>(word), 7, __ATOMIC_RELAXED);
    }
  });
  if (published(read_size, read_offset)) HEDDLE_ASSERT(data == 1);
  writer.join();
  third.join();
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
