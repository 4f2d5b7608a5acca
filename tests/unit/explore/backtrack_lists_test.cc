#include "explore/reduction/backtrack_lists.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "explore/bytes_in_memory.h"

namespace heddle::explore {
namespace {

std::vector<uint32_t> entries(const BacktrackLists& lists, uint32_t node, uint32_t step) {
  std::vector<uint32_t> found;
  BacktrackLists::List list = lists.find(node, step);
  list.for_each(list.count(), [&](uint32_t entry) { found.push_back(entry); });
  return found;
}

TEST(BacktrackLists, KeepTheOrderOfAdding) {
  BacktrackLists lists;
  EXPECT_EQ(lists.find(3, 7).count(), 0u);
  lists.append(3, 7, 1, 2);
  lists.append(3, 9, 0, 5);
  lists.append(3, 2, 4, 0);
  lists.append(3, 7, 1, 0);
  EXPECT_EQ(entries(lists, 3, 7), (std::vector<uint32_t>{1, 2, 0}));
  EXPECT_EQ(entries(lists, 3, 9), (std::vector<uint32_t>{0, 5}));
  EXPECT_EQ(entries(lists, 3, 2), (std::vector<uint32_t>{4, 0}));
  EXPECT_EQ(lists.find(3, 8).count(), 0u);
  EXPECT_EQ(lists.find(2, 7).count(), 0u);
}

TEST(BacktrackLists, WhoeverWasAddedEarlierSleepsUnlessItFailed) {
  BacktrackLists lists;
  lists.append(0, 4, 1, 2);
  lists.append(0, 4, 1, 3);
  EXPECT_EQ(lists.find(0, 4).sleepers(1), 0b10u);
  EXPECT_EQ(lists.find(0, 4).sleepers(2), 0b110u);
  EXPECT_FALSE(lists.find(0, 4).has_mark(2));
  lists.mark_end(0, 4, 1, 2, true);
  lists.mark_end(0, 4, 1, 3, false);
  EXPECT_TRUE(lists.find(0, 4).has_mark(2));
  EXPECT_TRUE(lists.find(0, 4).has_mark(3));
  EXPECT_TRUE(lists.find(0, 4).has_failed(2));
  EXPECT_FALSE(lists.find(0, 4).has_failed(3));
  // What 3 begins with is not covered yet: it has passed 2 over, which it must not.
  EXPECT_EQ(lists.find(0, 4).sleepers(5), 0b10u);
  lists.append(0, 4, 1, 3);
  EXPECT_EQ(lists.find(0, 4).sleepers(6), 0b1010u);  // who gave up still covers what it begins with
}

// Against a map, with nodes that come and go, and a save in between.
TEST(BacktrackLists, AreWhatAMapWouldBe) {
  BacktrackLists lists;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> expected;
  Random random(7);
  for (uint32_t round = 0; round < 20000; ++round) {
    auto node = static_cast<uint32_t>(random.below(12));
    if (random.below(40) == 0) {
      lists.drop(node);
      std::erase_if(expected, [&](const auto& entry) { return entry.first.first == node; });
    } else {
      auto step = static_cast<uint32_t>(random.below(30));
      auto thread = static_cast<uint32_t>(random.below(200));
      std::vector<uint32_t>& list = expected[{node, step}];
      if (list.empty()) list.push_back(step + 1);  // the node's own thread
      list.push_back(thread);
      lists.append(node, step, step + 1, thread);
    }
    if (round % 1000 == 0) {
      BytesInMemory bytes;
      lists.save(bytes);
      lists = {};
      lists.load(bytes);
    }
  }
  for (uint32_t node = 0; node < 13; ++node) {
    for (uint32_t step = 0; step < 31; ++step) {
      auto place = expected.find({node, step});
      std::vector<uint32_t> list =
          place != expected.end() ? place->second : std::vector<uint32_t>();
      EXPECT_EQ(entries(lists, node, step), list);
    }
  }
  for (uint32_t node = 0; node < 12; ++node) lists.drop(node);
  EXPECT_LE(lists.bytes(), 1024u);
}

}  // namespace
}  // namespace heddle::explore
