#include "explore/backtracking/luby.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <vector>

namespace heddle::explore {
namespace {

// As section 3 of the paper has them.
TEST(Luby, FirstNumbers) {
  std::vector<uint64_t> numbers;
  for (uint64_t i = 1; i <= 15; ++i) numbers.push_back(luby(i));
  EXPECT_EQ(numbers, (std::vector<uint64_t>{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}));
}

// The paper's definition: l_i = 2^(n-1), if i = 2^n - 1; else l_i = l_(i - 2^(n-1) + 1), where
// 2^(n-1) <= i < 2^n - 1.
TEST(Luby, Definition) {
  for (uint64_t i = 1; i < 5'000; ++i) {
    auto n = static_cast<uint32_t>(std::bit_width(i));
    bool is_last = i == (uint64_t{1} << n) - 1;
    uint64_t half = uint64_t{1} << (n - 1);
    ASSERT_EQ(luby(i), is_last ? half : luby(i - half + 1)) << i;
  }
}

// Up to the place 2^n - 1 there are 2^(n-1-j) numbers 2^j: of each power twice as many as of the
// next.
TEST(Luby, HowOftenEachPower) {
  constexpr uint32_t kBits = 12;
  std::map<uint64_t, uint64_t> times;
  for (uint64_t i = 1; i < uint64_t{1} << kBits; ++i) ++times[luby(i)];
  ASSERT_EQ(times.size(), kBits);
  for (auto [value, count] : times) {
    EXPECT_TRUE(std::has_single_bit(value));
    EXPECT_EQ(value * count, uint64_t{1} << (kBits - 1));
  }
}

TEST(Luby, FarOut) {
  EXPECT_EQ(luby((uint64_t{1} << 40) - 1), uint64_t{1} << 39);
  EXPECT_EQ(luby(uint64_t{1} << 40), 1u);
  EXPECT_EQ(luby(~uint64_t{0} - 1), uint64_t{1} << 62);
}

}  // namespace
}  // namespace heddle::explore
