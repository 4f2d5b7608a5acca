#include "warnings/diagnostic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "warnings/samples.h"

namespace heddle::warnings {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ThreadSafety, PairsPlacesOfTheSameVariable) {
  Reading reading = corpus("account.thread-safety.txt");
  ASSERT_EQ(reading.warnings.size(), 4u);
  const Warning& opens = reading.warnings[0];
  EXPECT_EQ(opens.tool, "Clang thread safety");
  EXPECT_EQ(opens.rule, "-Wthread-safety-analysis");
  EXPECT_EQ(opens.message,
            "writing variable 'balance_' requires holding mutex 'mutex_' exclusively");
  EXPECT_EQ(opens.where.column, 27u);
  EXPECT_THAT(sequences_as_text(opens),
              ElementsAre("account.cc:9 account.cc:9", "account.cc:9 account.cc:17",
                          "account.cc:17 account.cc:9", "account.cc:9 account.cc:21",
                          "account.cc:21 account.cc:9", "account.cc:9"));
  // It alone is warned of.
  EXPECT_EQ(lines_of(opens.needed), "account.cc:9");
  // Nothing else is about deposits_.
  EXPECT_THAT(sequences_as_text(reading.warnings[2]),
              ElementsAre("account.cc:19 account.cc:19", "account.cc:19"));
}

TEST(ThreadSafety, KnowsLocksThatAreMisused) {
  Reading reading = sample("linted.thread-safety.txt");
  ASSERT_EQ(reading.warnings.size(), 4u);
  EXPECT_EQ(reading.warnings[0].kind, Kind::data_race);  // calling function 'needs'
  EXPECT_EQ(reading.warnings[1].kind, Kind::locking);    // still held
  EXPECT_THAT(sequences_as_text(reading.warnings[2]), ElementsAre("linted.cc:23 linted.cc:24"));
  EXPECT_THAT(sequences_as_text(reading.warnings[3]), ElementsAre("linted.cc:27"));
  EXPECT_THAT(reading.unread,
              ElementsAre(HasSubstr("line 19: -Wsometimes-uninitialized at linted.cc:36:7: ")));
}

TEST(Tidy, ANullPointerComesFromSomewhere) {
  Reading reading = corpus("handler.tidy.txt");
  ASSERT_EQ(reading.warnings.size(), 2u);
  EXPECT_EQ(reading.warnings[0].tool, "clang-tidy");
  EXPECT_EQ(reading.warnings[0].kind, Kind::null_use);
  EXPECT_THAT(sequences_as_text(reading.warnings[0]), ElementsAre("handler.cc:15 handler.cc:17"));
}

TEST(Tidy, NamesWhatItCannotUse) {
  Reading reading = sample("linted.tidy.txt");
  ASSERT_EQ(reading.warnings.size(), 3u);
  EXPECT_EQ(reading.warnings[0].kind, Kind::null_use);
  EXPECT_EQ(reading.warnings[1].kind, Kind::uninitialised);
  EXPECT_EQ(reading.warnings[2].rule, "concurrency-mt-unsafe");
  EXPECT_THAT(reading.unread,
              ElementsAre(HasSubstr("bugprone-use-after-move"), HasSubstr("cplusplus.Move")));
}

TEST(Cppcheck, SaysTheSameInEveryForm) {
  Reading text = sample("linted.cppcheck.txt");
  Reading xml = sample("linted.cppcheck.xml");
  Reading older = sample("linted.cppcheck1.txt");
  for (const Reading* reading : {&text, &xml, &older}) {
    ASSERT_EQ(reading->warnings.size(), 2u);
    EXPECT_EQ(reading->warnings[0].tool, "cppcheck");
    EXPECT_EQ(reading->warnings[0].kind, Kind::null_use);
    EXPECT_THAT(sequences_as_text(reading->warnings[0]), ElementsAre("linted.cc:30 linted.cc:31"));
    EXPECT_EQ(reading->warnings[1].kind, Kind::uninitialised);
    EXPECT_EQ(reading->unread.size(), 1u);
  }
  EXPECT_EQ(text.warnings[0].rule, "nullPointerRedundantCheck");
  EXPECT_EQ(xml.warnings[0].where.column, 11u);
}

TEST(Cppcheck, ADoubleFreeBeginsWithTheFirstFree) {
  Reading reading = corpus("retire.cppcheck.xml");
  ASSERT_EQ(reading.warnings.size(), 2u);
  EXPECT_THAT(sequences_as_text(reading.warnings[0]), ElementsAre("retire.cc:14 retire.cc:16"));
}

TEST(Cppcheck, AnErrorWithoutAPlaceIsNamed) {
  Reading reading = read_text(
      "<?xml version=\"1.0\"?>\n<results version=\"2\">\n<errors>\n"
      "<error id=\"toomanyconfigs\" severity=\"information\" msg=\"Too "
      "many\"/>\n</errors></results>",
      "r");
  EXPECT_THAT(reading.unread,
              ElementsAre(HasSubstr("line 4: <error> toomanyconfigs: it has no place")));
}

TEST(Diagnostics, OtherLinesAreNamedOnce) {
  Reading reading = read_text(
      "[1/2] Building x\n[2/2] Building y\na.cc:3:4: warning: Possible null pointer dereference: p "
      "[nullPointer]\n"
      "  *p = 3;\n   ^\n1 warning generated.\nmake: *** [all] Error 1\n",
      "r");
  EXPECT_EQ(reading.warnings.size(), 1u);
  EXPECT_THAT(reading.unread, ElementsAre("lines 1 to 2: not a warning: [1/2] Building x",
                                          "line 7: not a warning: make: *** [all] Error 1"));
}

TEST(Diagnostics, ANoteNeedsAWarning) {
  Reading reading = read_text("a.cc:3:4: note: here\na.cc:3:4: error: bad [zerodiv]\n", "r");
  EXPECT_THAT(reading.unread, ElementsAre(HasSubstr("line 1: a note without a warning")));
  ASSERT_EQ(reading.warnings.size(), 1u);
  EXPECT_EQ(reading.warnings[0].kind, Kind::any);
}

TEST(Diagnostics, ErrorsOfTheRuleAreTakenForTheRule) {
  Reading reading = read_text(
      "d/a b.cc:3:4: error: reading variable 'x' requires holding mutex 'm' "
      "[-Werror,-Wthread-safety-analysis]\n",
      "r");
  ASSERT_EQ(reading.warnings.size(), 1u);
  EXPECT_EQ(reading.warnings[0].rule, "-Wthread-safety-analysis");
  EXPECT_EQ(reading.warnings[0].where.file, "d/a b.cc");
}

TEST(KindOfWords, KnowsWhatToolsSay) {
  EXPECT_EQ(kind_of_words("THREAD_SAFETY_VIOLATION"), Kind::data_race);
  EXPECT_EQ(kind_of_words("cpp/use-after-free"), Kind::use_after_free);
  EXPECT_EQ(kind_of_words("Potential DEADLOCK"), Kind::lock_order);
  EXPECT_EQ(kind_of_words("too many parameters"), std::nullopt);
}

}  // namespace
}  // namespace heddle::warnings
