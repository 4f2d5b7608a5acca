// atomic of several sizes, atomic_ref, atomic_flag, shared_ptr counts, atomic<shared_ptr>, weak
// compare-exchange.
#pragma once

#include <cstdint>
#include <memory>

#include "prelude.h"

namespace outcomes {

// Each thread writes its own and reads the other's.
template <typename T>
void write_and_read(Results& r) {
  std::atomic<T> x{}, y{};
  together([&] { x = T{1}, r[0] = y.load() == T{1}; }, [&] { y = T{1}, r[1] = x.load() == T{1}; });
}

PROGRAM(atomic_1_byte, 2) { write_and_read<uint8_t>(r); }
PROGRAM(atomic_2_bytes, 2) { write_and_read<int16_t>(r); }
PROGRAM(atomic_8_bytes, 2) { write_and_read<uint64_t>(r); }
PROGRAM(atomic_float, 2) { write_and_read<float>(r); }

struct Pair {
  int64_t first = 0, second = 0;
};

PROGRAM(atomic_16_bytes, 2) {
  std::atomic<Pair> pair{};
  together(
      [&] {
        pair = Pair{1, 1};
      },
      [&] {
        Pair seen = pair;
        r[0] = static_cast<int>(seen.first);
        r[1] = static_cast<int>(seen.second);
      });
}

PROGRAM(atomic_ref_adds, 3) {
  int x = 0;
  together([&] { r[0] = std::atomic_ref(x).fetch_add(1); },
           [&] { r[1] = std::atomic_ref(x).fetch_add(1); });
  r[2] = x;
}

PROGRAM(flag_taken, 2) {
  std::atomic_flag flag;
  together([&] { r[0] = flag.test_and_set(); }, [&] { r[1] = flag.test_and_set(); });
}

PROGRAM(weak_pointer_locks, 2) {
  auto shared = std::make_shared<int>(5);
  std::weak_ptr<int> weak = shared;
  together([&] { shared.reset(); },
           [&] {
             std::shared_ptr<int> mine = weak.lock();
             r[0] = mine ? *mine : 0;
             mine.reset();
             r[1] = weak.expired();
           });
}

PROGRAM(last_owner_destroys, 1) {
  static thread_local int me;
  struct Object {
    ~Object() { *destroyed_by = me; }
    int* destroyed_by;
  };
  auto one = std::make_shared<Object>(&r[0]);
  auto two = one;
  together([&] { me = 1, one.reset(); }, [&] { me = 2, two.reset(); });
}

PROGRAM(atomic_pointer_exchanges, 2) {
  std::atomic<std::shared_ptr<int>> pointer(std::make_shared<int>(0));
  together([&] { r[0] = *pointer.exchange(std::make_shared<int>(1)); },
           [&] { r[1] = *pointer.exchange(std::make_shared<int>(2)); });
}

PROGRAM(atomic_pointer_loads, 1) {
  std::atomic<std::shared_ptr<int>> pointer;
  together([&] { pointer = std::make_shared<int>(1); },
           [&] {
             std::shared_ptr<int> seen = pointer;
             r[0] = seen ? *seen : 0;
           });
}

PROGRAM(weak_exchange, 2) {
  std::atomic<int> x{0};
  int expected = 0;
  r[0] = x.compare_exchange_weak(expected, 1);
  r[1] = x;
}

}  // namespace outcomes
