#include "explore/seen_set.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "explore/bytes_in_memory.h"

namespace heddle::explore {
namespace {

// Against std::set, over several times its growth. Small numbers, so that many come twice.
TEST(SeenSet, AgreesWithASet) {
  SeenSet seen;
  std::set<uint64_t> expected;
  Random random(3);
  for (int i = 0; i < 20'000; ++i) {
    uint64_t hash = random.below(6'000);
    ASSERT_EQ(seen.insert(hash), expected.insert(hash).second) << hash;
    ASSERT_EQ(seen.size(), expected.size());
  }
}

// 0 is an empty entry of the table, and still a number like others; its stand-in is not.
TEST(SeenSet, Zero) {
  SeenSet seen;
  EXPECT_TRUE(seen.insert(0));
  EXPECT_FALSE(seen.insert(0));
  EXPECT_TRUE(seen.insert(1));
  EXPECT_EQ(seen.size(), 2u);
}

// Hashes that differ in their high halves only, or by multiples of the table's size.
TEST(SeenSet, SimilarHashes) {
  SeenSet seen;
  for (uint64_t i = 1; i <= 1'000; ++i) {
    EXPECT_TRUE(seen.insert(i << 32));
    EXPECT_TRUE(seen.insert(i * 4096 + 1));
  }
  for (uint64_t i = 1; i <= 1'000; ++i) EXPECT_FALSE(seen.insert(i << 32));
  EXPECT_EQ(seen.size(), 2'000u);
}

// At most half full, and no more than four times as large as it need be.
TEST(SeenSet, Bytes) {
  SeenSet seen;
  EXPECT_EQ(seen.bytes(), 0u);
  for (uint64_t i = 1; i <= 10'000; ++i) {
    seen.insert(i);
    ASSERT_GE(seen.bytes(), 2 * 8 * seen.size());
    ASSERT_LE(seen.bytes(), std::max<uint64_t>(256 * 8, 4 * 8 * seen.size()));
  }
}

TEST(SeenSet, SavedAndLoaded) {
  SeenSet seen;
  for (uint64_t i = 0; i < 1'000; ++i) seen.insert(i * i);
  BytesInMemory bytes;
  seen.save(bytes);
  SeenSet again;
  again.load(bytes);
  EXPECT_TRUE(bytes.all_read());
  EXPECT_EQ(again.size(), seen.size());
  for (uint64_t i = 0; i < 1'000; ++i) EXPECT_FALSE(again.insert(i * i));
  EXPECT_TRUE(again.insert(3));
}

}  // namespace
}  // namespace heddle::explore
