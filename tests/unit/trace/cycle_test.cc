#include "trace/cycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace heddle::trace {
namespace {

using wire::Op;

// One step for each letter: equal letters are equal steps.
std::vector<wire::Step> steps_of(const std::string& letters) {
  std::vector<wire::Step> steps;
  for (char letter : letters) {
    wire::Step step{};
    step.thread = static_cast<uint32_t>(letter) % 3;
    step.op = Op::atomic_load;
    step.object = static_cast<uint64_t>(letter);
    step.pc = 0x1000;
    step.check = static_cast<uint32_t>(steps.size());  // differs from step to step
    steps.push_back(step);
  }
  return steps;
}

std::string times(const std::string& text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

// "begin length repeats", or "none".
std::string found(const std::vector<wire::Step>& steps) {
  std::optional<Repetition> cycle = find_cycle(steps);
  if (!cycle) return "none";
  return std::to_string(cycle->begin) + " " + std::to_string(cycle->length) + " " +
         std::to_string(cycle->repeats);
}
std::string found(const std::string& letters) { return found(steps_of(letters)); }

TEST(Cycle, ThreeTimesAtLeast) {
  EXPECT_EQ(found(""), "none");
  EXPECT_EQ(found("a"), "none");
  EXPECT_EQ(found("aa"), "none");
  EXPECT_EQ(found("aaa"), "0 1 3");
  EXPECT_EQ(found("xyaaa"), "2 1 3");
  EXPECT_EQ(found("xyabab"), "none");
  EXPECT_EQ(found("xyababab"), "2 2 3");
  EXPECT_EQ(found("abcdefg"), "none");
}

TEST(Cycle, TheEndMayBeInTheMiddleOfARound) {
  EXPECT_EQ(found("xyabcabcabca"), "2 3 3");
  EXPECT_EQ(found("xyabcabcabcab"), "2 3 3");
  EXPECT_EQ(found("xyabcabcabcabc"), "2 3 4");
}

TEST(Cycle, BeginsAsEarlyAsTheStepsAreTheSame) {
  // The end of a round before the first whole one.
  EXPECT_EQ(found("xyc" + times("abc", 5)), "2 3 5");
}

TEST(Cycle, ALoopWithinTheCycleIsNone) {
  EXPECT_EQ(found("x" + times("abbbbb", 10)), "1 6 10");
  EXPECT_EQ(found("x" + times("bbbbba", 10)), "1 6 10");
  EXPECT_EQ(found("x" + times(times("ab", 7) + "c", 4) + times("ab", 7)), "1 15 4");
}

TEST(Cycle, WhatComesBeforeIsNone) {
  EXPECT_EQ(found(times("ab", 100) + "c"), "none");
  EXPECT_EQ(found(times("ab", 100) + times("cde", 4)), "200 3 4");
}

// Against trying every length at every step.
TEST(Cycle, SameAsByTryingAll) {
  Random random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string letters;
    size_t size = random.below(12);
    for (size_t i = 0; i < size; ++i) letters += static_cast<char>('a' + random.below(3));
    std::string cycle = letters.substr(0, random.below(size + 1));
    letters += times(cycle, random.below(5)) + cycle.substr(0, random.below(cycle.size() + 1));
    std::string expected = "none";
    size_t covered = 0;
    for (size_t length = 1; 3 * length <= letters.size(); ++length) {
      size_t begin = letters.size() - length;
      while (begin > 0 && letters[begin - 1] == letters[begin - 1 + length]) --begin;
      size_t covers = letters.size() - begin;
      if (covers < 3 * length || covers <= covered) continue;
      covered = covers;
      expected = std::to_string(begin) + " " + std::to_string(length) + " " +
                 std::to_string(covers / length);
    }
    EXPECT_EQ(found(letters), expected) << letters;
  }
}

TEST(Cycle, LongOnes) {
  Random random(4);
  std::vector<wire::Step> steps;
  auto append = [&](size_t count) {
    for (size_t i = 0; i < count; ++i) {
      wire::Step step{};
      step.thread = static_cast<uint32_t>(random.below(4));
      step.op = Op::atomic_load;
      step.object = random.below(3);
      steps.push_back(step);
    }
  };
  append(1234);
  size_t begin = steps.size();
  append(7001);
  for (size_t i = 0; i < 500'000; ++i) steps.push_back(steps[steps.size() - 7001]);
  std::optional<Repetition> cycle = find_cycle(steps);
  ASSERT_TRUE(cycle);
  EXPECT_EQ(cycle->length, 7001u);
  EXPECT_EQ(cycle->repeats, (steps.size() - cycle->begin) / 7001);
  // It may begin earlier, by chance, but hardly.
  EXPECT_LE(cycle->begin, begin);
  EXPECT_GT(cycle->begin + 10, begin);
  // The worst case for comparisons: all are the same.
  EXPECT_EQ(found(std::string(500'000, 'a')), "0 1 500000");
}

TEST(Cycle, WhatMakesStepsTheSame) {
  std::vector<wire::Step> steps = steps_of("ababababab");
  auto with = [&](auto change) {
    std::vector<wire::Step> changed = steps;
    change(&changed[1]);  // then the cycle begins after it
    return found(changed);
  };
  EXPECT_EQ(found(steps), "0 2 5");
  EXPECT_EQ(with([](wire::Step* step) { step->thread = 7; }), "2 2 4");
  EXPECT_EQ(with([](wire::Step* step) { step->op = Op::atomic_store; }), "2 2 4");
  EXPECT_EQ(with([](wire::Step* step) { step->outcome = 1; }), "2 2 4");
  EXPECT_EQ(with([](wire::Step* step) { step->object = 1; }), "2 2 4");
  EXPECT_EQ(with([](wire::Step* step) { step->pc = 1; }), "2 2 4");
  EXPECT_EQ(with([](wire::Step* step) { step->choice = 1; }), "0 2 5");
}

TEST(Cycle, ObjectsMayDifferWhereNothingElseRepeats) {
  std::vector<wire::Step> steps = steps_of("xyzabcabcabcabc");
  for (size_t i = 3; i < steps.size(); i += 3) steps[i].object = 1000 + i;
  EXPECT_EQ(found(steps), "3 3 4");
}

}  // namespace
}  // namespace heddle::trace
