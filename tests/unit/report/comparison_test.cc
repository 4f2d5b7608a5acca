#include "report/comparison.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/findings.h"
#include "report/style.h"

namespace heddle::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ComparedRun run_of(uint64_t seed, bool failed, uint64_t executions, double seconds) {
  ComparedRun run;
  run.seed = seed;
  run.failed = failed;
  run.executions = executions;
  run.distinct = executions / 2;
  run.seconds = seconds;
  run.samples = {{seconds, executions, executions / 2}};
  return run;
}

ComparedStrategy strategy_of(const std::string& name, std::vector<ComparedRun> runs) {
  ComparedStrategy strategy;
  strategy.name = name;
  strategy.uses_seed = runs.size() > 1;
  strategy.runs = std::move(runs);
  return strategy;
}

// dfs finds nothing in 1,000 executions; random fails after 10 and 30, and once not in 1,000; pos
// after 100 and 120.
Comparison failing() {
  Comparison comparison;
  comparison.program = {"./queue", "a b"};
  comparison.seeds = {1, 2, 3};
  comparison.strategies = {
      strategy_of("dfs", {run_of(1, false, 1000, 1)}),
      strategy_of("random",
                  {run_of(1, true, 10, 0.1), run_of(2, false, 1000, 1), run_of(3, true, 30, 0.3)}),
      strategy_of("pos", {run_of(1, true, 120, 0.2), run_of(2, true, 100, 0.2)}),
  };
  comparison.planned = 6;
  comparison.failures = {deadlock()};
  for (ComparedStrategy& strategy : comparison.strategies) {
    for (ComparedRun& run : strategy.runs) {
      if (run.failed) run.failure = 0;
    }
  }
  return comparison;
}

size_t widest(const std::string& text) {
  size_t width = 0;
  for (const std::string& line : split_lines(text)) width = std::max(width, line.size());
  return width;
}

TEST(Comparison, Spread) {
  EXPECT_FALSE(spread_of({}).has_value());
  Spread one = *spread_of({7});
  EXPECT_EQ(one.min, 7);
  EXPECT_EQ(one.mean, 7);
  EXPECT_EQ(one.max, 7);
  EXPECT_FALSE(one.deviation.has_value());
  // The mean is 5, the squares of the differences 9 + 1 + 1 + 9 = 20, and 20 / 3 is the variance.
  Spread four = *spread_of({2, 4, 6, 8});
  EXPECT_EQ(four.min, 2);
  EXPECT_EQ(four.mean, 5);
  EXPECT_EQ(four.max, 8);
  EXPECT_DOUBLE_EQ(*four.deviation, std::sqrt(20.0 / 3));
}

TEST(Comparison, FiguresAreOfTheRunsThatFailed) {
  Figures figures = figures_of(failing().strategies[1]);
  EXPECT_EQ(figures.failed, 2u);
  EXPECT_EQ(figures.executions->min, 10);
  EXPECT_EQ(figures.executions->mean, 20);
  EXPECT_EQ(figures.executions->max, 30);
  EXPECT_DOUBLE_EQ(*figures.executions->deviation, std::sqrt(200.0));
  EXPECT_DOUBLE_EQ(figures.seconds->mean, 0.2);
  EXPECT_EQ(*figures.executions_per_failure, 1040.0 / 2);
  EXPECT_DOUBLE_EQ(figures.distinct, 520.0 / 3);
  EXPECT_DOUBLE_EQ(figures.distinct_per_second, 520 / 1.4);
  figures = figures_of(failing().strategies[0]);
  EXPECT_FALSE(figures.executions.has_value());
  EXPECT_FALSE(figures.executions_per_failure.has_value());
}

// The mean of random is less, but it may find nothing.
TEST(Comparison, RunsWithoutAFailureCountAgainstAStrategy) {
  Comparison comparison = failing();
  Best best = *best_of(comparison);
  EXPECT_EQ(best.reason, Best::Reason::finds);
  EXPECT_EQ(comparison.strategies[best.strategy].name, "pos");
  EXPECT_EQ(command_of(comparison, best), "heddle run --strategy pos --seed 2 ./queue 'a b'");
  comparison.strategies[1].runs.erase(comparison.strategies[1].runs.begin() + 1);
  best = *best_of(comparison);
  EXPECT_EQ(comparison.strategies[best.strategy].name, "random");
  EXPECT_EQ(comparison.strategies[best.strategy].runs[best.run].seed, 1u);
}

TEST(Comparison, TheCommandHasWhatWasTyped) {
  Comparison comparison = failing();
  comparison.options = {"--races", "explore", "--spurious"};
  comparison.budget = {"--executions", "1000"};
  EXPECT_EQ(command_of(comparison, *best_of(comparison)),
            "heddle run --strategy pos --seed 2 --races explore --spurious --executions 1000 "
            "./queue 'a b'");
}

TEST(Comparison, WithoutAFailure) {
  Comparison comparison;
  comparison.program = {"./queue"};
  EXPECT_FALSE(best_of(comparison).has_value());
  ComparedRun bounded = run_of(1, false, 20, 0.1);
  bounded.complete = bounded.bounded = true;
  comparison.strategies = {strategy_of("best-first", {bounded})};
  EXPECT_EQ(best_of(comparison)->reason, Best::Reason::covers);
  // What does not know a bound may see more; and of these the one that sees most in a second.
  comparison.budget = {"--executions", "1000"};
  comparison.strategies.push_back(strategy_of("dfs", {run_of(1, false, 1000, 2)}));
  comparison.strategies.push_back(
      strategy_of("random", {run_of(4, false, 1000, 1), run_of(5, false, 1000, 1)}));
  Best best = *best_of(comparison);
  EXPECT_EQ(best.reason, Best::Reason::goes_on);
  EXPECT_EQ(command_of(comparison, best),
            "heddle run --strategy random --seed 4 --seconds 600 ./queue");
  // All are covered: nothing is better.
  ComparedRun whole = run_of(1, false, 500, 3);
  whole.complete = true;
  whole.covered = "all schedules, 500 executions";
  comparison.strategies.push_back(strategy_of("auto", {whole}));
  best = *best_of(comparison);
  EXPECT_EQ(best.reason, Best::Reason::covers);
  EXPECT_THAT(comparison_text(comparison),
              HasSubstr("best: auto, complete: all schedules, 500 executions\n"
                        "    heddle run --strategy auto --executions 1000 ./queue\n"));
  EXPECT_EQ(comparison_exit_code(comparison), 0);
}

TEST(Comparison, Table) {
  std::string text = comparison_text(failing());
  EXPECT_THAT(text, HasSubstr("strategy       runs failed    min   mean    max    dev   to it"));
  EXPECT_THAT(text, HasSubstr("dfs           1 run     0% none within the budget            -      "
                              "500    500/s\n"));
  EXPECT_THAT(text, HasSubstr("random       3 runs    67%     10     20     30   14.1  0.20 s    "
                              "173.3    371/s\n"));
  EXPECT_THAT(text, HasSubstr("best: pos, a failure after 110 executions on average\n"));
  EXPECT_THAT(text, HasSubstr("heddle replay heddle-out/philosophers-1.heddle\n"
                              "    found by random, pos\n"));
  EXPECT_THAT(text, HasSubstr("failed: a failure in 4 of 6 runs; 2,260 executions, 2.80 s\n"));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(comparison_text(failing(), true), HasSubstr("\033[31;1mfailed"));
}

TEST(Comparison, LargeNumbersKeepTheWidth) {
  std::vector<ComparedRun> runs;
  for (uint64_t i = 0; i < 999; ++i) {
    runs.push_back(run_of(i, i < 998, uint64_t{9'876'543'210} * (i + 1), 98'765.4));
  }
  Comparison comparison;
  comparison.program = {"./queue"};
  comparison.strategies = {strategy_of("best-first", runs)};
  std::string text = comparison_text(comparison);
  std::string rows = text.substr(0, text.find("\n\n"));
  EXPECT_EQ(widest(rows), 80u) << text;
  EXPECT_THAT(rows, HasSubstr(" >99% "));
  EXPECT_THAT(rows, HasSubstr("  9.9G   4.9T   9.9T "));
}

TEST(Comparison, CompleteRuns) {
  Comparison comparison;
  comparison.program = {"./queue"};
  ComparedRun run = run_of(1, false, 20, 0.1);
  run.complete = true;
  comparison.strategies = {strategy_of("auto", {run}), strategy_of("best-first", {run}),
                           strategy_of("random", {run, run_of(2, false, 20, 0.1)})};
  comparison.strategies[1].preemptions = 2;
  std::string text = comparison_text(comparison);
  EXPECT_THAT(text, HasSubstr(" 0% complete    "));
  EXPECT_THAT(text, HasSubstr(" 0% complete, 2 preemptions "));
  EXPECT_THAT(text, HasSubstr(" 0% 1 of 2 runs complete "));
}

TEST(Comparison, Interrupted) {
  Comparison comparison = failing();
  comparison.planned = 9;
  comparison.interrupted = true;
  EXPECT_THAT(comparison_text(comparison), HasSubstr("; interrupted, 6 of 9 runs were run\n"));
  EXPECT_EQ(comparison_exit_code(comparison), 130);
  for (ComparedStrategy& strategy : comparison.strategies) strategy.runs.clear();
  EXPECT_EQ(comparison_text(comparison), "interrupted: no run has ended\n");
}

TEST(Comparison, NotRepeatable) {
  Comparison comparison = failing();
  Summary summary = summary_of({});
  summary.unrepeatable = Unrepeatable{};
  comparison.gave_up = summary;
  EXPECT_EQ(comparison_exit_code(comparison), 3);
  std::string text = comparison_text(comparison);
  EXPECT_THAT(text, HasSubstr("random       3 runs"));
  EXPECT_THAT(text, HasSubstr("NOT REPEATABLE"));
  EXPECT_EQ(nlohmann::json::parse(comparison_json(comparison))["gave_up"]["exit_code"], 3);
}

TEST(Comparison, Notes) {
  Comparison comparison = failing();
  comparison.left_out = {{"auto", "strategy auto has no order"}};
  for (ComparedStrategy& strategy : comparison.strategies) {
    for (ComparedRun& run : strategy.runs) {
      run.notes = {"always", fmt::format("{} {}", strategy.name, run.seed)};
    }
  }
  std::string text = comparison_text(comparison);
  EXPECT_THAT(text, HasSubstr("note: auto was left out: strategy auto has no order\n"
                              "note: always\nnote: dfs 1\n"));
  EXPECT_THAT(text, HasSubstr("note: 2 more (--json)\n"));
}

TEST(Comparison, Json) {
  nlohmann::json report = nlohmann::json::parse(comparison_json(failing()));
  EXPECT_EQ(report["exit_code"], 1);
  EXPECT_EQ(report["best"]["strategy"], "pos");
  EXPECT_EQ(report["best"]["seed"], 2);
  EXPECT_EQ(report["best"]["reason"], "failure");
  EXPECT_EQ(report["failures"][0]["strategies"], (nlohmann::json{"random", "pos"}));
  nlohmann::json random = report["strategies"][1];
  EXPECT_EQ(random["executions_to_failure"]["mean"], 20);
  EXPECT_EQ(random["runs"][0]["executions"], 10);
  EXPECT_EQ(random["runs"][0]["failure"], 0);
  EXPECT_TRUE(random["runs"][1]["failure"].is_null());
  EXPECT_EQ(random["runs"][2]["samples"], (nlohmann::json{{0.3, 30, 15}}));
  EXPECT_TRUE(report["strategies"][0]["executions_to_failure"].is_null());
}

TEST(Comparison, SamplesAreThinnedOut) {
  std::vector<Sample> samples;
  for (uint64_t i = 1; i <= 10'000; ++i) add_sample({double(i), i, i}, &samples);
  EXPECT_LE(samples.size(), kMaxSamples);
  EXPECT_GE(samples.size(), kMaxSamples / 2);
  EXPECT_EQ(samples.back().executions, 10'000u);
  for (size_t i = 1; i < samples.size(); ++i) {
    EXPECT_LT(samples[i - 1].executions, samples[i].executions);
  }
}

TEST(Comparison, Plot) {
  Comparison comparison = failing();
  comparison.program = {"./queue<&>"};
  std::string svg = comparison_svg(comparison);
  for (const char* name : {">dfs<", ">random<", ">pos<", "./queue&lt;&amp;&gt;"}) {
    EXPECT_THAT(svg, HasSubstr(name));
  }
  std::string page = comparison_html(comparison);
  EXPECT_THAT(page, HasSubstr(svg));
  EXPECT_THAT(page, HasSubstr("random       3 runs"));
}

}  // namespace
}  // namespace heddle::report
