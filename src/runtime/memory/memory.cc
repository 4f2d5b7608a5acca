#include "runtime/memory/memory.h"

#include "base/hash.h"

namespace heddle::runtime {

bool finds_expected(const Pending& pending) {
  auto is_there = [&]<typename T>(T) {
    T expected;
    __builtin_memcpy(&expected, pending.expected, sizeof expected);
    return load_value(reinterpret_cast<const volatile T*>(pending.object)) == expected;
  };
  switch (pending.size) {
    case 1:
      return is_there(uint8_t{});
    case 2:
      return is_there(uint16_t{});
    case 4:
      return is_there(uint32_t{});
    case 8:
      return is_there(uint64_t{});
    default:
      return is_there(uint128{});
  }
}

}  // namespace heddle::runtime
