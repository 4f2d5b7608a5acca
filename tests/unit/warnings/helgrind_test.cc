#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "warnings/samples.h"

namespace heddle::warnings {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Helgrind, ARaceHasBothStacks) {
  Reading reading = corpus("flag_publish.helgrind.txt");
  EXPECT_EQ(reading.format, "Helgrind");
  ASSERT_EQ(reading.warnings.size(), 2u);
  EXPECT_EQ(reading.warnings[1].rule, "Race");
  EXPECT_EQ(reading.warnings[1].where.function, "consume()");
  EXPECT_THAT(sequences_as_text(reading.warnings[1]),
              ElementsAre("flag_publish.cc:10 flag_publish.cc:16",
                          "flag_publish.cc:16 flag_publish.cc:10"));
}

// The read and the write of an increment are two errors.
TEST(Helgrind, TheSamePlacesAreOneWarning) {
  Reading reading = corpus("spin_counter.helgrind.txt");
  ASSERT_EQ(reading.warnings.size(), 3u);
  EXPECT_EQ(reading.warnings[1].repeats.size(), 1u);
  EXPECT_THAT(sequences_as_text(reading.warnings[1]),
              ElementsAre("spin_counter.cc:21 spin_counter.cc:21"));
}

TEST(Helgrind, ALockOrderHasFourPlacesInText) {
  Reading reading = sample("misuse.helgrind.txt");
  ASSERT_EQ(reading.warnings.size(), 4u);
  EXPECT_EQ(reading.warnings[0].kind, Kind::lock_order);
  EXPECT_THAT(sequences_as_text(reading.warnings[0]),
              ElementsAre("misuse.cc:19 misuse.cc:13 misuse.cc:20 misuse.cc:14"));
  EXPECT_EQ(lines_of(reading.warnings[0].needed), "misuse.cc:20 misuse.cc:14");
  EXPECT_EQ(reading.warnings[1].kind, Kind::locking);
  EXPECT_EQ(reading.warnings[2].rule, "UnlockBogus");
  EXPECT_EQ(reading.warnings[3].kind, Kind::data_race);
  EXPECT_THAT(reading.unread, IsEmpty());
}

// Helgrind's XML does not say where the first lock of the observed order was taken.
TEST(Helgrind, ALockOrderHasThreePlacesInXml) {
  Reading reading = sample("misuse.helgrind.xml");
  EXPECT_EQ(reading.format, "Helgrind's XML");
  ASSERT_EQ(reading.warnings.size(), 4u);
  EXPECT_THAT(sequences_as_text(reading.warnings[0]),
              ElementsAre("misuse.cc:13 misuse.cc:20 misuse.cc:14"));
  EXPECT_THAT(reading.unread, IsEmpty());
}

TEST(Helgrind, TextAndXmlSayTheSame) {
  Reading text = sample("misuse.helgrind.txt");
  Reading xml = sample("misuse.helgrind.xml");
  ASSERT_EQ(text.warnings.size(), xml.warnings.size());
  for (size_t i = 0; i < text.warnings.size(); ++i) {
    EXPECT_EQ(text.warnings[i].kind, xml.warnings[i].kind);
    EXPECT_EQ(text.warnings[i].rule, xml.warnings[i].rule);
    EXPECT_EQ(lines_of(text.warnings[i].needed), lines_of(xml.warnings[i].needed));
  }
}

constexpr const char* kEnd = "==7== ERROR SUMMARY: 1 errors from 1 contexts\n";

TEST(Helgrind, SaysWhyAnErrorCannotBeUsed) {
  std::string race =
      "==7== Helgrind, a thread error detector\n==7== ----------------------------\n==7== \n"
      "==7== Possible data race during read of size 4 at 0x1 by thread #3\n"
      "==7== Locks held: none\n==7==    at 0x10: f (a.cc:16)\n==7== \n";
  EXPECT_THAT(read_text(race + kEnd, "r").unread, ElementsAre(HasSubstr("--history-level=full")));
  EXPECT_THAT(read_text(race, "r").unread, ElementsAre(HasSubstr("breaks off")));
  race +=
      "==7== This conflicts with a previous write of size 4 by thread #2\n==7==    at 0x11: g "
      "(b.cc:a)\n";
  EXPECT_THAT(read_text(race + kEnd, "r").unread,
              ElementsAre(HasSubstr("line 9: a line of a call stack that cannot be read"),
                          HasSubstr("line 4: ")));
  std::string odd = "==7== Helgrind\n==7== ----------------\n==7== Thread #1: something new\n";
  EXPECT_THAT(read_text(odd + kEnd, "r").unread, ElementsAre(HasSubstr("not a kind of error")));
}

TEST(Helgrind, TheProgramsOutputIsNoWarning) {
  std::string text = "hello\n==7== Helgrind, a thread error detector\nworld = 3\n";
  EXPECT_THAT(read_text(text + kEnd, "r").unread, IsEmpty());
}

TEST(Helgrind, ADocumentOfAnotherToolIsRefused) {
  try {
    read_text(
        "<?xml "
        "version=\"1.0\"?><valgrindoutput><protocoltool>memcheck</protocoltool></valgrindoutput>",
        "r");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("memcheck"));
  }
}

}  // namespace
}  // namespace heddle::warnings
