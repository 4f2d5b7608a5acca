// Every atomic operation, of 1 to 16 bytes, gives under control what it gives natively.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g -mcx16 -Wno-atomic-alignment -Wno-unknown-warning-option %s -o %t
// RUN: %t
// RUN: %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["steps"] > 80
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

template <typename T>
void all() {
  alignas(16) static T object;
  __atomic_store_n(&object, T{100}, __ATOMIC_RELEASE);
  assert(__atomic_load_n(&object, __ATOMIC_ACQUIRE) == 100);
  assert(__atomic_exchange_n(&object, T{12}, __ATOMIC_SEQ_CST) == 100);
  assert(__atomic_fetch_add(&object, T{5}, __ATOMIC_RELAXED) == 12);
  assert(__atomic_fetch_sub(&object, T{1}, __ATOMIC_RELAXED) == 17);
  assert(__atomic_fetch_and(&object, T{24}, __ATOMIC_RELAXED) == 16);
  assert(__atomic_fetch_or(&object, T{3}, __ATOMIC_RELAXED) == 16);
  assert(__atomic_fetch_xor(&object, T{1}, __ATOMIC_RELAXED) == 19);
  assert(__atomic_fetch_nand(&object, T{2}, __ATOMIC_RELAXED) == 18);
  assert(__atomic_load_n(&object, __ATOMIC_RELAXED) == static_cast<T>(~T{2}));
  T expected = 1;
  assert(!__atomic_compare_exchange_n(&object, &expected, T{7}, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST));
  assert(expected == static_cast<T>(~T{2}));
  while (!__atomic_compare_exchange_n(&object, &expected, T{7}, true, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST)) {
  }
  assert(__atomic_load_n(&object, __ATOMIC_SEQ_CST) == 7);
  // Wrap-around stays within the type.
  __atomic_fetch_sub(&object, T{8}, __ATOMIC_SEQ_CST);
  assert(__atomic_load_n(&object, __ATOMIC_SEQ_CST) == static_cast<T>(~T{0}));
}

int main() {
  std::thread thread([] {
    all<uint8_t>();
    all<uint16_t>();
    all<uint32_t>();
    all<uint64_t>();
    all<unsigned __int128>();
  });
  thread.join();
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  assert(!flag.test_and_set() && flag.test_and_set());
  flag.clear();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  volatile int place = 1;
  place = place + 1;
  assert(place == 2);
}
