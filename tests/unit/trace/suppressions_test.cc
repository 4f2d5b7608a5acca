#include "trace/suppressions.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace heddle::trace {
namespace {

TEST(Pattern, IsFoundAnywhere) {
  EXPECT_TRUE(pattern_matches("push", "Queue::push_back()"));
  EXPECT_FALSE(pattern_matches("pull", "Queue::push_back()"));
  EXPECT_TRUE(pattern_matches("Queue*back", "my::Queue<int>::push_back()"));
  EXPECT_FALSE(pattern_matches("back*Queue", "my::Queue<int>::push_back()"));
}

TEST(Pattern, HasEnds) {
  EXPECT_TRUE(pattern_matches("^push", "push_back"));
  EXPECT_FALSE(pattern_matches("^back", "push_back"));
  EXPECT_TRUE(pattern_matches("back$", "push_back"));
  EXPECT_FALSE(pattern_matches("push$", "push_back"));
  EXPECT_TRUE(pattern_matches("^push_back$", "push_back"));
  EXPECT_FALSE(pattern_matches("^push$", "push_back"));
  EXPECT_TRUE(pattern_matches("*", ""));
}

Suppression rule(const char* line) { return parse_suppression(line, "f:1").value(); }

TEST(ParseSuppression, KnowsKinds) {
  EXPECT_EQ(rule("race:x").kind, wire::Failure::data_race);
  EXPECT_EQ(rule(" use-after-free : y ").kind, wire::Failure::use_after_free);
  EXPECT_EQ(rule(" use-after-free : y ").pattern, "y");
  EXPECT_EQ(rule("*:x").kind, std::nullopt);
  EXPECT_TRUE(rule("called_from_lib:libfoo").only_libraries);
  EXPECT_EQ(rule("race:ns::f").pattern, "ns::f");
}

TEST(ParseSuppression, PassesOverCommentsAndEmptyLines) {
  EXPECT_FALSE(parse_suppression("", "f:1"));
  EXPECT_FALSE(parse_suppression("  \r", "f:1"));
  EXPECT_FALSE(parse_suppression(" # race:x", "f:1"));
}

TEST(ParseSuppression, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(parse_suppression("race", "f:1"), std::runtime_error);
  EXPECT_THROW(parse_suppression("race:", "f:1"), std::runtime_error);
  EXPECT_THROW(parse_suppression("thread:x", "f:1"), std::runtime_error);
  EXPECT_THROW(parse_suppression("none:x", "f:1"), std::runtime_error);
}

Place place(const char* function, const char* file, int line, const char* module) {
  Place place;
  place.function = function;
  place.file = file;
  place.line = line;
  place.module = module;
  return place;
}

Finding race() {
  Finding finding;
  finding.kind = wire::Failure::data_race;
  finding.object = "hits";
  finding.witnesses.push_back(
      {wire::Role::read, "0", 4, {place("Cache::look()", "/src/cache.cc", 12, "test")}});
  finding.witnesses.push_back(
      {wire::Role::write, "1", 4, {place("Cache::put()", "/src/cache.cc", 30, "libcache.so.2")}});
  finding.witnesses.push_back(
      {wire::Role::allocated, "0", 8, {place("make()", "/src/main.cc", 3, "test")}});
  return finding;
}

TEST(Suppression, MatchesFunctionsFilesLibrariesAndObjects) {
  for (const char* line :
       {"race:Cache::put", "race:cache.cc", "race:cache.cc:12", "race:/src/cache.cc:30",
        "race:libcache.so", "race:hits", "*:look", "called_from_lib:libcache"}) {
    EXPECT_TRUE(rule(line).matches(race())) << line;
  }
}

TEST(Suppression, LeavesOthersAlone) {
  // Another kind, another line, the place where the block was allocated, a function as a library.
  for (const char* line : {"deadlock:Cache::put", "race:cache.cc:1", "race:cache.cc:3",
                           "race:main.cc", "called_from_lib:Cache", "race:misses"}) {
    EXPECT_FALSE(rule(line).matches(race())) << line;
  }
}

TEST(Suppression, OfADeadlockLooksAtThoseWhoWait) {
  Finding finding;
  finding.kind = wire::Failure::deadlock;
  ThreadAtEnd waiting{"1", wire::ThreadState::waiting, {}, "", "", {place("f()", "a.cc", 1, "t")}};
  ThreadAtEnd ended{"2", wire::ThreadState::ended, {}, "", "", {place("g()", "a.cc", 1, "t")}};
  finding.threads = {waiting, ended};
  EXPECT_TRUE(rule("deadlock:^f(").matches(finding));
  EXPECT_FALSE(rule("deadlock:^g(").matches(finding));
}

TEST(SuppressionOf, IsTheFirst) {
  Suppressions all = {rule("race:nothing"), rule("race:hits"), rule("*:*")};
  EXPECT_EQ(suppression_of(all, race()), &all[1]);
  all.resize(1);
  EXPECT_EQ(suppression_of(all, race()), nullptr);
}

}  // namespace
}  // namespace heddle::trace
