#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "warnings/samples.h"

namespace heddle::warnings {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Tsan, ARaceHasBothOrdersTheOneThatWasSeenFirst) {
  Reading reading = corpus("unlocked_total.tsan.txt");
  EXPECT_EQ(reading.format, "ThreadSanitizer");
  ASSERT_EQ(reading.warnings.size(), 1u);
  const Warning& warning = reading.warnings[0];
  EXPECT_EQ(warning.tool, "ThreadSanitizer");
  EXPECT_EQ(warning.rule, "data race");
  EXPECT_EQ(warning.line, 2u);
  EXPECT_EQ(warning.where.function, "current");
  EXPECT_THAT(sequences_as_text(warning), ElementsAre("unlocked_total.cc:11 unlocked_total.cc:14",
                                                      "unlocked_total.cc:14 unlocked_total.cc:11"));
}

TEST(Tsan, FramesOfTheLibraryArePassedOver) {
  // Both accesses are in stl_vector.h and below.
  Reading reading = corpus("shared_list.tsan.txt");
  ASSERT_EQ(reading.warnings.size(), 1u);
  EXPECT_EQ(lines_of(reading.warnings[0].needed), "shared_list.cc:15 shared_list.cc:12");
}

TEST(Tsan, AnAccessThatFreesMakesItAUseAfterFree) {
  Reading reading = corpus("session_close.tsan.txt");
  ASSERT_EQ(reading.warnings.size(), 1u);
  EXPECT_EQ(reading.warnings[0].kind, Kind::use_after_free);
  EXPECT_THAT(sequences_as_text(reading.warnings[0]),
              ElementsAre("session_close.cc:15 session_close.cc:12"));
}

TEST(Tsan, ACycleOfLocksHasTheFirstLocksBeforeTheSecond) {
  Reading reading = corpus("transfer.tsan.txt");
  ASSERT_EQ(reading.warnings.size(), 1u);
  EXPECT_EQ(reading.warnings[0].kind, Kind::lock_order);
  EXPECT_THAT(sequences_as_text(reading.warnings[0]),
              ElementsAre("transfer.cc:15 transfer.cc:22 transfer.cc:16 transfer.cc:23"));
}

// Of Clang, with columns and build ids, and without second_deadlock_stack=1.
TEST(Tsan, SaysWhatElseThereIs) {
  Reading reading = sample("misuse.tsan.txt");
  ASSERT_EQ(reading.warnings.size(), 4u);
  EXPECT_THAT(sequences_as_text(reading.warnings[0]),
              ElementsAre("misuse.cc:14 misuse.cc:20", "misuse.cc:20 misuse.cc:14"));
  EXPECT_EQ(reading.warnings[0].where.column, 19u);
  EXPECT_EQ(reading.warnings[1].rule, "destroy of a locked mutex");
  EXPECT_EQ(reading.warnings[1].kind, Kind::locking);
  EXPECT_THAT(sequences_as_text(reading.warnings[1]), ElementsAre("misuse.cc:32 misuse.cc:33"));
  EXPECT_THAT(sequences_as_text(reading.warnings[2]), ElementsAre("misuse.cc:35"));
  EXPECT_EQ(reading.warnings[3].kind, Kind::data_race);
  EXPECT_THAT(reading.unread, ElementsAre(HasSubstr("line 108: thread leak: ")));
}

constexpr const char* kRace =
    "==================\n"
    "WARNING: ThreadSanitizer: data race (pid=7)\n"
    "  Write of size 4 at 0x55 by thread T2 (mutexes: write M9):\n"
    "    #0 put(int) src/my queue.cc:12:7 (prog+0x12)\n"
    "    #1 main /home/me/a b/main.cc:30 (prog+0x30)\n"
    "\n"
    "  Previous read of size 4 at 0x55 by main thread:\n"
    "    #0 memcpy <null> (prog+0x99)\n"
    "    #1 get() const ./src/queue.cc:20 (prog+0x20) (BuildId: aa)\n"
    "\n"
    "SUMMARY: ThreadSanitizer: data race src/queue.cc:12 in put(int)\n"
    "==================\n";

TEST(Tsan, PathsMayBeRelative) {
  Reading reading = read_text(kRace, "report");
  ASSERT_EQ(reading.warnings.size(), 1u);
  EXPECT_EQ(reading.warnings[0].needed[1].file, "./src/queue.cc");
  EXPECT_EQ(reading.warnings[0].needed[1].function, "get() const");
  EXPECT_EQ(reading.warnings[0].where.line, 12u);
  EXPECT_EQ(reading.warnings[0].where.column, 7u);
  EXPECT_TRUE(reading.unread.empty());
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Tsan, TheSameRaceAgainIsARepeat) {
  Reading reading = read_text(std::string(kRace) + kRace, "report");
  ASSERT_EQ(reading.warnings.size(), 1u);
  EXPECT_THAT(reading.warnings[0].repeats, ElementsAre(14u));
}

TEST(Tsan, TheProgramsOutputIsNoWarning) {
  Reading reading = read_text("hello\n# 1 fan\n" + std::string(kRace) + "bye\n", "report");
  EXPECT_EQ(reading.warnings.size(), 1u);
  EXPECT_TRUE(reading.unread.empty());
}

TEST(Tsan, OutputInTheMiddleIsNamed) {
  Reading reading =
      read_text(replaced(kRace, "\n\n  Previous", "\nprogress: 10%\n\n  Previous"), "report");
  EXPECT_EQ(reading.warnings.size(), 1u);
  EXPECT_THAT(reading.unread, ElementsAre(HasSubstr("line 6: in the middle of a warning")));
}

TEST(Tsan, SaysWhyAWarningCannotBeUsed) {
  auto why = [](const std::string& from, const std::string& to) {
    Reading reading = read_text(replaced(kRace, from, to), "report");
    EXPECT_TRUE(reading.warnings.empty()) << to;
    return reading.unread.empty() ? "" : reading.unread[0];
  };
  EXPECT_THAT(why("data race (pid", "strange thing (pid"),
              HasSubstr("line 2: strange thing: not a kind"));
  EXPECT_THAT(why("    #0 memcpy <null> (prog+0x99)\n    #1 get() const ./src/queue.cc:20 "
                  "(prog+0x20) (BuildId: aa)",
                  "    [failed to restore the stack]"),
              HasSubstr("history_size"));
  EXPECT_THAT(why("./src/queue.cc:20", "<null>"), HasSubstr("compile with -g"));
  EXPECT_THAT(why("  Previous read of size 4 at 0x55 by main thread:\n", ""),
              HasSubstr("1 accesses, and not two"));
  EXPECT_THAT(
      why("SUMMARY: ThreadSanitizer: data race src/queue.cc:12 in put(int)\n==================\n",
          ""),
      HasSubstr("line 2: data race: the warning breaks off"));
  EXPECT_THAT(why("WARNING: ", ""), HasSubstr("whose beginning is missing"));
}

TEST(Tsan, ACrashIsNamed) {
  Reading reading = read_text(
      "==9==ERROR: ThreadSanitizer: SEGV on unknown address 0x0\n    #0 f a.cc:3 (p+0x1)\n",
      "report");
  EXPECT_TRUE(reading.warnings.empty());
  EXPECT_THAT(reading.unread, ElementsAre(HasSubstr("SEGV on unknown address")));
}

}  // namespace
}  // namespace heddle::warnings
