#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "options/options.h"
#include "options/parse_strategies.h"

namespace heddle::options {
namespace {

using testing::ElementsAre;

TEST(ParseCompare, Strategies) {
  EXPECT_THAT(parse_strategies("random"), ElementsAre("random"));
  EXPECT_THAT(parse_strategies("random,dfs"), ElementsAre("random", "dfs"));
  for (const char* bad : {"", ",", "dfs,", ",dfs", "dfs,dfs", "dsf", "dfs, random"}) {
    EXPECT_THROW(parse_strategies(bad), UserError) << bad;
  }
}

TEST(ParseCompare, Plots) {
  EXPECT_EQ(parse_plot("a/b.svg"), "a/b.svg");
  EXPECT_EQ(parse_plot("x.html"), "x.html");
  for (const char* bad : {"", "x", "x.png", "svg", "x.svg.gz"}) {
    EXPECT_THROW(parse_plot(bad), UserError) << bad;
  }
}

// What a run takes beyond its own search is not for several of them.
TEST(ParseCompare, OptionsOfTheVerb) {
  Options options;
  parse_option_text(&options, "--strategies dfs --seeds 3 --races ignore --spurious --out x",
                    kCompare);
  EXPECT_EQ(options.seeds, 3u);
  for (const char* other : {"--strategy dfs", "--keep-going", "--resume", "--list-states x"}) {
    EXPECT_THROW(parse_option_text(&options, other, kCompare), UserError) << other;
  }
  EXPECT_THROW(parse_option_text(&options, "--seeds 3", kRun), UserError);
}

}  // namespace
}  // namespace heddle::options
