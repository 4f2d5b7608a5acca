#include "explore/fringe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

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

// Against the plainest thing that could be right: a list, searched from its end.
TEST(Fringe, AgreesWithAListThatIsSearched) {
  struct Waiting {
    Key key;
    uint32_t number;
  };
  Fringe fringe;
  std::vector<Waiting> list;
  Random random(3);
  for (uint32_t i = 0; i < 20'000; ++i) {
    bool grows = i % 4000 < 2000;
    if (list.empty() || random.below(10) < (grows ? 7u : 2u)) {
      Key key{static_cast<int32_t>(random.below(3)), static_cast<int32_t>(random.below(4)) - 2};
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
  }
  std::vector<uint32_t> left, listed;
  fringe.for_each([&](const Entry& waiting) { left.push_back(waiting.parent); });
  for (const Waiting& waiting : list) listed.push_back(waiting.number);
  std::ranges::sort(left);
  std::ranges::sort(listed);
  EXPECT_EQ(left, listed);
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
