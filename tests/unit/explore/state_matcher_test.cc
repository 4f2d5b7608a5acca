#include "explore/state_matcher.h"

#include <gtest/gtest.h>

#include <vector>

#include "explore/bytes_in_memory.h"

namespace heddle::explore {
namespace {

using Left = StateMatcher::Left;
constexpr Left kNoBounds{false, false, 0, false};
constexpr Left kPreemptions{true, false, 0, false};
constexpr Left kDepth{false, false, 0, true};

// Words of a note: step, key, id of the running thread.
struct Noted {
  std::vector<uint64_t> notes;
  causality::Execution execution;

  explicit Noted(std::vector<uint64_t> words) : notes(std::move(words)) { execution.notes = notes; }
};

TEST(StateMatcher, TheKeyIsTheState) {
  StateMatcher matcher;
  Noted first({2, 70, 1, 5, 71, 2, 9, 72, 1});
  matcher.look_at(first.execution);
  EXPECT_TRUE(matcher.visit(2, 0, kNoBounds, 0));
  EXPECT_TRUE(matcher.visit(5, 0, kNoBounds, 0));
  EXPECT_TRUE(matcher.visit(9, 0, kNoBounds, 0));
  // Another step, other preemptions and another running thread make no difference without bounds.
  Noted second({3, 71, 3, 4, 73, 1});
  matcher.look_at(second.execution);
  EXPECT_FALSE(matcher.visit(3, 4, kNoBounds, 0));
  EXPECT_TRUE(matcher.visit(4, 4, kNoBounds, 0));
  EXPECT_EQ(matcher.states(), 4u);
  EXPECT_EQ(matcher.matched(), 1u);
  EXPECT_EQ(matcher.matching().states, 4u);
  EXPECT_TRUE(matcher.matching().on);
}

bool is_new_after(const Left& first_left, uint32_t first_preemptions, uint64_t first_running,
                  uint32_t first_step, const Left& left, uint32_t preemptions, uint64_t running,
                  uint32_t step) {
  StateMatcher matcher;
  Noted first({first_step, 70, first_running});
  Noted second({step, 70, running});
  matcher.look_at(first.execution);
  EXPECT_TRUE(matcher.visit(first_step, first_preemptions, first_left, 0));
  matcher.look_at(second.execution);
  return matcher.visit(step, preemptions, left, 0);
}

// What a bound has left decides what may come, and so does who would be preempted.
TEST(StateMatcher, WhatBoundsHaveLeftIsInTheKey) {
  EXPECT_FALSE(is_new_after(kPreemptions, 1, 5, 3, kPreemptions, 1, 5, 4));
  EXPECT_TRUE(is_new_after(kPreemptions, 1, 5, 3, kPreemptions, 2, 5, 3));
  EXPECT_TRUE(is_new_after(kPreemptions, 1, 5, 3, kPreemptions, 1, 6, 3));
  EXPECT_FALSE(is_new_after(kDepth, 1, 5, 3, kDepth, 2, 6, 3));
  EXPECT_TRUE(is_new_after(kDepth, 1, 5, 3, kDepth, 1, 5, 4));
  Left one{false, true, 1, false};
  Left two{false, true, 2, false};
  EXPECT_FALSE(is_new_after(one, 1, 5, 3, one, 2, 5, 4));
  EXPECT_TRUE(is_new_after(one, 1, 5, 3, two, 1, 5, 3));
  EXPECT_TRUE(is_new_after(one, 1, 5, 3, one, 1, 6, 3));
}

// Notes end where there was no room for more. What comes then stands for itself: a state is matched
// by none but the same sequence of steps.
TEST(StateMatcher, WithoutANote) {
  StateMatcher matcher;
  Noted noted({2, 70, 1});
  matcher.look_at(noted.execution);
  EXPECT_TRUE(matcher.has_note(2));
  EXPECT_TRUE(matcher.visit(2, 0, kNoBounds, 0));
  EXPECT_FALSE(matcher.has_note(3));
  EXPECT_TRUE(matcher.visit(3, 0, kNoBounds, 500));
  matcher.look_at(noted.execution);
  EXPECT_TRUE(matcher.visit(3, 0, kNoBounds, 501));
  EXPECT_FALSE(matcher.visit(3, 0, kNoBounds, 500));
}

// Steps without a note in between, and half a note at the end.
TEST(StateMatcher, NotesOfOtherStepsArePassedOver) {
  StateMatcher matcher;
  Noted noted({2, 70, 1, 5, 71, 2, 9, 72});
  matcher.look_at(noted.execution);
  EXPECT_FALSE(matcher.has_note(4));
  EXPECT_TRUE(matcher.has_note(5));
  EXPECT_FALSE(matcher.has_note(9));
}

TEST(StateMatcher, SavedAndLoaded) {
  StateMatcher matcher;
  Noted noted({2, 70, 1, 5, 71, 2});
  matcher.look_at(noted.execution);
  matcher.visit(2, 0, kNoBounds, 0);
  matcher.visit_key(70);
  BytesInMemory bytes;
  matcher.save(bytes);
  StateMatcher again;
  again.load(bytes);
  EXPECT_TRUE(bytes.all_read());
  EXPECT_EQ(again.states(), 1u);
  EXPECT_EQ(again.matched(), 1u);
  again.look_at(noted.execution);
  EXPECT_FALSE(again.visit(2, 0, kNoBounds, 0));
  EXPECT_TRUE(again.visit(5, 0, kNoBounds, 0));
}

}  // namespace
}  // namespace heddle::explore
