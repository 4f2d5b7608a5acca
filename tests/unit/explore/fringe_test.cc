#include "explore/fringe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/random.h"
#include "explore/bytes_in_memory.h"
#include "explore/small_files.h"
#include "sample_count.h"

namespace heddle::explore {
namespace {

Entry entry(uint32_t number) { return {number, 0, 0, 1, 0}; }

TEST(Fringe, EqualPrioritiesAreAStack) {
  Fringe fringe;
  for (uint32_t i = 0; i < 1000; ++i) fringe.push(Key{}, entry(i));
  for (uint32_t i = 1000; i-- > 0;) ASSERT_EQ(fringe.pop().parent, i);
  EXPECT_TRUE(fringe.empty());
  EXPECT_EQ(fringe.bins(), 0u);
}

TEST(Fringe, TheFirstNumberDecidesThenTheNext) {
  Fringe fringe;
  fringe.push(Key{1, 0}, entry(1));
  fringe.push(Key{0, 5}, entry(2));
  fringe.push(Key{0, -3}, entry(3));
  fringe.push(Key{-1, 9}, entry(4));
  fringe.push(Key{0, 5}, entry(5));
  std::vector<uint32_t> order;
  while (!fringe.empty()) order.push_back(fringe.pop().parent);
  EXPECT_EQ(order, (std::vector<uint32_t>{4, 3, 5, 2, 1}));
}

// Entries of ranges, with a part of them on disk, against one entry for each schedule.
TEST(Fringe, RangesAreTheSchedulesThatTheyStandFor) {
  Fringe ranges(::testing::TempDir(), Fringe::Holds::ranges);
  Fringe schedules;
  Random random(5);
  for (uint32_t i = 0; i < 3000; ++i) {
    if (random.below(3) != 0) {
      Key key{static_cast<int32_t>(random.below(3))};
      auto first = static_cast<uint16_t>(1 + random.below(5));
      auto last = static_cast<uint16_t>(first + random.below(4));
      ranges.push(key, {i, 7, 9, first, last});
      for (uint16_t choice = last; choice >= first; --choice) {
        schedules.push(key, {i, 7, 9, choice, last});
      }
    }
    if (i % 500 == 0) ranges.spill(0);
    for (uint64_t pops = random.below(4); pops > 0 && !schedules.empty(); --pops) {
      ASSERT_EQ(ranges.best_key(), schedules.best_key());
      Entry range = ranges.pop();
      Entry schedule = schedules.pop();
      ASSERT_EQ(range.parent, schedule.parent);
      ASSERT_EQ(range.choice, schedule.choice);
    }
    ASSERT_EQ(ranges.size(), schedules.size());
    ASSERT_LE(ranges.entries(), schedules.entries());
  }
  BytesInMemory bytes;
  ranges.save(bytes);
  Fringe loaded(".", Fringe::Holds::ranges);
  loaded.load(
      bytes, [](const Entry&) {}, [] {});
  EXPECT_EQ(loaded.size(), ranges.size());
  EXPECT_EQ(loaded.entries(), ranges.entries());
  while (!loaded.empty()) ASSERT_EQ(loaded.pop().choice, schedules.pop().choice);
  EXPECT_TRUE(schedules.empty());
}

// Against the plainest thing that could be right: a list, searched from its end. With `memory`, a
// part is on disk most of the time.
void compare_with_list(std::optional<uint64_t> memory) {
  struct Waiting {
    Key key;
    uint32_t number;
  };
  Fringe fringe(::testing::TempDir());
  std::vector<Waiting> list;
  uint64_t most_spilled = 0;
  Random random(3);
  // Twice it grows and shrinks; what is to spill has to be large.
  const auto steps = static_cast<uint32_t>(memory ? 20'000 : sample_count(8'000, 20'000));
  for (uint32_t i = 0; i < steps; ++i) {
    bool grows = i % (steps / 2) < steps / 4;
    if (list.empty() || random.below(10) < (grows ? 7u : 2u)) {
      Key key{static_cast<int32_t>(random.below(2)), static_cast<int32_t>(random.below(2)) - 1};
      fringe.push(key, entry(i));
      list.push_back({key, i});
    } else {
      auto best = list.begin();
      for (auto it = list.begin(); it != list.end(); ++it) {
        if (it->key <= best->key) best = it;
      }
      ASSERT_EQ(fringe.pop().parent, best->number);
      list.erase(best);
    }
    ASSERT_EQ(fringe.size(), list.size());
    if (memory && fringe.bytes() > *memory) fringe.spill(*memory / 2);
    most_spilled = std::max(most_spilled, fringe.spilled());
  }
  std::vector<uint32_t> left, listed;
  fringe.for_each([&](const Key&, const Entry& waiting) { left.push_back(waiting.parent); });
  for (const Waiting& waiting : list) listed.push_back(waiting.number);
  std::ranges::sort(left);
  std::ranges::sort(listed);
  EXPECT_EQ(left, listed);
  EXPECT_EQ(most_spilled > 100, memory.has_value());
}

TEST(Fringe, AgreesWithAListThatIsSearched) { compare_with_list(std::nullopt); }

TEST(Fringe, AgreesWithItWhereItSpills) { compare_with_list(20'000); }

TEST(Fringe, WhatComesLastGoesToDisk) {
  Fringe fringe(::testing::TempDir());
  for (uint32_t i = 0; i < 100'000; ++i) fringe.push(Key{static_cast<int32_t>(i % 2)}, entry(i));
  uint64_t bytes = fringe.bytes();
  fringe.spill(bytes / 2);  // the worse half: all of bin 1 but its top
  EXPECT_LE(fringe.bytes(), bytes / 2);
  EXPECT_GT(fringe.spilled(), 49'000u);
  EXPECT_LE(fringe.spilled(), 50'000u + 256);
  for (uint32_t i = 0; i < 50'000; ++i) ASSERT_EQ(fringe.pop().parent, 99'998 - 2 * i);
  EXPECT_GT(fringe.spilled(), 49'000u);
  for (uint32_t i = 0; i < 50'000; ++i) ASSERT_EQ(fringe.pop().parent, 99'999 - 2 * i);
  EXPECT_TRUE(fringe.empty());
  EXPECT_EQ(fringe.spilled(), 0u);
}

// A limit on the size of files stands for a disk that is full.
TEST(Fringe, LosesNothingWhenTheDiskIsFull) {
  Fringe fringe(::testing::TempDir());
  for (uint32_t i = 0; i < 100'000; ++i) fringe.push(Key{}, entry(i));
  {
    SmallFiles limit(100'000);
    EXPECT_THROW(fringe.spill(0), SpillError);
  }
  EXPECT_EQ(fringe.size(), 100'000u);
  EXPECT_GT(fringe.spilled(), 0u);
  for (uint32_t i = 100'000; i-- > 0;) ASSERT_EQ(fringe.pop().parent, i);
}

TEST(Fringe, ManyBinsAreSmallOnes) {
  Fringe fringe;
  for (int32_t i = 0; i < 100'000; ++i) fringe.push(Key{i}, entry(1));
  EXPECT_EQ(fringe.bins(), 100'000u);
  EXPECT_LT(fringe.bytes(), 100'000u * 300);
}

TEST(Fringe, TakesSixteenBytesForAScheduleThatWaits) {
  Fringe fringe;
  constexpr uint32_t kCount = 1'000'000;
  for (uint32_t i = 0; i < kCount; ++i) fringe.push(Key{}, entry(i));
  EXPECT_LT(fringe.bytes(), 16.1 * kCount);
  for (int round = 0; round < 3; ++round) {  // and no more when it shrinks and grows again
    for (uint32_t i = 0; i < kCount; ++i) fringe.pop();
    for (uint32_t i = 0; i < kCount; ++i) fringe.push(Key{round}, entry(i));
  }
  EXPECT_LT(fringe.bytes(), 16.1 * kCount);
}

}  // namespace
}  // namespace heddle::explore
