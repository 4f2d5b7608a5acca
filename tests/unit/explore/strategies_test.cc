#include "explore/strategies.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

TEST(Strategies, WhoUsesTheSeed) {
  StrategyOptions plain;
  StrategyOptions ordered;
  ordered.order = {"ss", "mdpor"};
  StrategyOptions by_chance;
  by_chance.order = {"pb", "rand"};
  EXPECT_TRUE(uses_seed(find_strategy("random"), {plain}));
  EXPECT_FALSE(uses_seed(find_strategy("dfs"), {plain}));
  EXPECT_FALSE(uses_seed(find_strategy("best-first"), {ordered}));
  EXPECT_TRUE(uses_seed(find_strategy("best-first"), {by_chance}));
  EXPECT_FALSE(uses_seed(find_strategy("auto"), {ordered, plain}));
  StrategyOptions with_samplers = ordered;
  with_samplers.samplers = {"pos"};
  EXPECT_TRUE(uses_seed(find_strategy("auto"), {with_samplers, plain}));
  StrategyOptions backtracking;
  backtracking.descent.thresholds = {10};
  EXPECT_TRUE(uses_seed(find_strategy("backtrack"), {backtracking}));
  for (const char* sampler : {"pct", "pos", "surw", "rf"}) {
    EXPECT_TRUE(uses_seed(find_strategy(sampler), {plain})) << sampler;
  }
}

}  // namespace
}  // namespace heddle::explore
