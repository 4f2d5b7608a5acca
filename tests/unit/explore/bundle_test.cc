#include "explore/bundle.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "explore/bytes_in_memory.h"

namespace heddle::explore {
namespace {

using Decisions = std::vector<wire::Decision>;

// Each schedule of a range as words: its decisions, and the last one.
std::multiset<std::string> schedules_of(const Bundle& subtrees) {
  std::multiset<std::string> all;
  subtrees.for_each([&](Bundle::Decisions parent, uint32_t, const Bundle::Range& range) {
    for (uint32_t choice = range.first; choice <= range.last; ++choice) {
      std::string text;
      for (const wire::Decision& one : parent) {
        text += std::to_string(one.step) + ":" + std::to_string(one.choice) + " ";
      }
      all.insert(text + std::to_string(range.step) + ":" + std::to_string(choice) + " " +
                 std::to_string(range.check));
    }
  });
  return all;
}

Bundle some() {
  Bundle subtrees;
  subtrees.add({}, {3, 11, 1, 2});
  Decisions one = {{3, 1}};
  subtrees.add(one, {5, 12, 1, 1});
  Decisions two = {{3, 1}, {7, 2}, {300, 1}};
  subtrees.add(two, {100'000, 13, 1, 9});
  subtrees.add(one, {6, 14, 2, 2});
  Decisions other = {{4, 1}};
  subtrees.add(other, {5, 0xffffffff, 1, 1});
  return subtrees;
}

TEST(Bundle, AreReadAsTheyWereWritten) {
  Bundle subtrees = some();
  EXPECT_EQ(subtrees.ranges(), 5u);
  EXPECT_EQ(subtrees.size(), 2u + 1 + 9 + 1 + 1);
  BytesInMemory bytes;
  subtrees.save(bytes);
  Bundle read;
  read.load(bytes);
  EXPECT_TRUE(bytes.all_read());
  EXPECT_EQ(read.size(), subtrees.size());
  EXPECT_EQ(schedules_of(read), schedules_of(subtrees));
}

TEST(Bundle, AreDealtOutEachOnce) {
  Bundle subtrees = some();
  for (uint64_t hands : {1, 2, 3, 5, 100}) {
    std::multiset<std::string> all;
    std::vector<Bundle> dealt = subtrees.deal(hands);
    EXPECT_LE(dealt.size(), hands);
    for (const Bundle& one : dealt) {
      EXPECT_FALSE(one.empty());
      for (const std::string& schedule : schedules_of(one)) all.insert(schedule);
    }
    EXPECT_EQ(all, schedules_of(subtrees)) << hands;
  }
  EXPECT_TRUE(Bundle().deal(4).empty());
}

TEST(Bundle, GoIntoATreeAndOutAgain) {
  Bundle subtrees = some();
  ExecutionTree tree;
  Fringe fringe(".", Fringe::Holds::ranges);
  put_in(
      subtrees, [](uint32_t parents, uint32_t) { return parents + 1; }, &tree, &fringe);
  EXPECT_EQ(fringe.size(), subtrees.size());
  EXPECT_EQ(schedules_of(take_out(tree, fringe)), schedules_of(subtrees));
  // When all of it has been executed nothing is left.
  while (!fringe.empty()) tree.release(fringe.pop().parent);
  EXPECT_EQ(tree.alive(), 0u);
}

// What comes from elsewhere is looked at: decisions by rising step, choices that are none of the
// default's, and numbers that fit.
TEST(Bundle, RefuseWhatCannotBe) {
  auto refused = [](std::initializer_list<int> bytes) {
    BytesInMemory in;
    for (int byte : bytes) in.put(static_cast<uint8_t>(byte));
    Bundle read;
    EXPECT_THROW(read.load(in), std::runtime_error);
  };
  // Number of ranges; of each: shared, own, decisions, step, first, last, check.
  refused({1, 1, 0, 5, 1, 1, 0, 0, 0, 0});              // nothing to share
  refused({1, 0, 1, 3, 0, 5, 1, 1, 0, 0, 0, 0});        // a choice of the default
  refused({1, 0, 2, 3, 1, 0, 1, 5, 1, 1, 0, 0, 0, 0});  // the same step again
  refused({1, 0, 1, 7, 1, 5, 1, 1, 0, 0, 0, 0});        // a range before its parent
  refused({1, 0, 0, 5, 2, 1, 0, 0, 0, 0});              // no choices
  refused({1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0});
}

}  // namespace
}  // namespace heddle::explore
