// What shells complete the value of an option with.
#include "options/values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::options {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using Kind = Values::Kind;

Values of(const char* name) { return values_of(*find_option(name)); }

TEST(Values, OfAFlagThereAreNone) { EXPECT_EQ(of("quiet").kind, Kind::none); }

TEST(Values, AreTheLiteralPartsOfTheMetavar) {
  EXPECT_THAT(of("isolation").words, ElementsAre("snapshot", "fork", "none"));
  EXPECT_THAT(of("preemptions").words, ElementsAre("none"));           // N|none
  EXPECT_EQ(of("seed").kind, Kind::any);                               // N
  EXPECT_EQ(of("ratio").kind, Kind::any);                              // R|1-d/C
  EXPECT_THAT(of("toward").words, ElementsAre("distance", "random"));  // …|prefer:THREADS
}

TEST(Values, AreFilesAndDirectories) {
  EXPECT_EQ(of("json").kind, Kind::file);
  EXPECT_EQ(of("program").kind, Kind::file);
  EXPECT_EQ(of("out").kind, Kind::directory);
}

TEST(Values, AreNamesThatAreKnown) {
  EXPECT_EQ(of("strategy").kind, Kind::words);
  EXPECT_THAT(of("strategy").words, Contains("best-first"));
  EXPECT_EQ(of("strategies").kind, Kind::list);
  EXPECT_EQ(of("order").kind, Kind::list);
  EXPECT_THAT(of("order").words, Contains("mdpor"));
  EXPECT_THAT(of("samplers").words, Contains("none"));
  EXPECT_THAT(of("samplers").words, Not(Contains("dfs")));
}

// Whatever is offered is accepted.
TEST(Values, AreAccepted) {
  for (const OptionRecord& record : option_table()) {
    for (const std::string& word : values_of(record).words) {
      Options options;
      EXPECT_NO_THROW(record.set(&options, word)) << record.name << " " << word;
    }
  }
}

}  // namespace
}  // namespace heddle::options
