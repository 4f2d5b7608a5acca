#include "options/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/error.h"
#include "symbols/nearest.h"

namespace heddle::options {
namespace {

std::string error_of(const std::string& text) {
  Options options;
  try {
    parse_option_text(&options, text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, TextIsReadAsOnACommandLine) {
  Options options;
  parse_option_text(&options,
                    "--strategy random --preemptions=3 --keep-going --out 'my dir' --seconds 1.5 "
                    "--json \"a\\\"b\" --accesses all --isolation fork --jobs 4 --heap 100");
  EXPECT_EQ(options.strategy, "random");
  EXPECT_EQ(options.preemptions, 3u);
  EXPECT_TRUE(options.keep_going);
  EXPECT_EQ(options.out, "my dir");
  EXPECT_EQ(options.seconds, 1.5);
  EXPECT_EQ(options.json, "a\"b");
  EXPECT_EQ(options.accesses, wire::Accesses::all);
  EXPECT_EQ(options.isolation, wire::Isolation::fork);
  EXPECT_EQ(options.jobs, 4u);
  EXPECT_EQ(options.heap, 100u);
}

TEST(Options, NoPreemptionBoundIsNotTheDefault) {
  Options options;
  EXPECT_FALSE(options.preemptions_given);
  parse_option_text(&options, "--preemptions none");
  EXPECT_TRUE(options.preemptions_given);
  EXPECT_FALSE(options.preemptions.has_value());
}

TEST(Options, LaterOnesWin) {
  Options options;
  set_option(&options, "seed", "3");
  parse_option_text(&options, "--seed 4 --quiet --quiet=false");
  EXPECT_EQ(options.seed, 4u);
  EXPECT_FALSE(options.quiet);
}

TEST(Options, MistakesSayWhatToType) {
  EXPECT_EQ(error_of("--sede 1"), "unknown option --sede; did you mean --seed?");
  EXPECT_EQ(error_of("seed 1"), "'seed' is no option; options begin with --");
  EXPECT_EQ(error_of("--seed"), "--seed needs a value: --seed N");
  EXPECT_EQ(error_of("--seed -1"),
            "--seed: '-1' is not a whole number from 0 on; type e.g. --seed 7");
  EXPECT_EQ(error_of("--executions 0"),
            "--executions: '0' is not a whole number from 1 on; type e.g. --executions 1000");
  EXPECT_EQ(error_of("--seconds nan"),
            "--seconds: 'nan' is not a number of seconds above 0; type e.g. --seconds 10");
  EXPECT_EQ(error_of("--isolation vm"),
            "--isolation: there is no 'vm'; known: snapshot, fork, none");
  EXPECT_EQ(error_of("--keep-going=maybe"), "--keep-going takes no value; leave out 'maybe'");
  EXPECT_EQ(error_of("--out 'x"), "a quotation mark ' is not closed");
  EXPECT_EQ(error_of("--times 3"), "unknown option --times");  // of replay only
}

TEST(Options, WhatIsNotThereYetIsSaidByName) {
  EXPECT_EQ(error_of("--strategy bfs"),
            "there is no strategy 'bfs'; known: auto, dfs, best-first, random, pct, pos, surw, rf, "
            "backtrack, guide");
  EXPECT_EQ(error_of("--reduce none --fair off"), "");
}

TEST(Options, SizesHaveUnits) {
  Options options;
  EXPECT_EQ(options.memory, 1'073'741'824u);
  parse_option_text(&options, "--memory 512M");
  EXPECT_EQ(options.memory, 536'870'912u);
  parse_option_text(&options, "--memory 1024K");
  EXPECT_EQ(options.memory, 1'048'576u);
  parse_option_text(&options, "--memory 3T");
  EXPECT_EQ(options.memory, 3'298'534'883'328u);
  EXPECT_THAT(error_of("--memory 4096"), testing::HasSubstr("'4096' is not a size from 1M on"));
}

TEST(Options, OrdersAreListsOfPriorities) {
  Options options;
  parse_option_text(&options, "--order rand,pb --delays 3");
  EXPECT_EQ(options.order, (std::vector<std::string>{"rand", "pb"}));
  EXPECT_EQ(options.delays, 3u);
  EXPECT_THAT(error_of("--order ''"), testing::HasSubstr("it is empty"));
  EXPECT_THAT(error_of("--order pb,,rand"), testing::HasSubstr("a name is missing"));
  EXPECT_THAT(error_of("--order pb,"), testing::HasSubstr("a name is missing"));
  EXPECT_THAT(error_of("--order pb,pb"), testing::HasSubstr("names pb twice"));
  EXPECT_THAT(error_of("--order ran"), testing::HasSubstr("there is no priority 'ran'; known: "));
  EXPECT_THAT(error_of("--order ran"), testing::HasSubstr("did you mean rand?"));
  EXPECT_THAT(error_of("--delays -1"), testing::HasSubstr("from 0 to 65535"));
}

TEST(Options, TheTableIsSound) {
  std::set<std::string> names;
  for (const OptionRecord& record : option_table()) {
    EXPECT_TRUE(names.insert(record.name).second) << record.name << " stands there twice";
    EXPECT_NE(record.verbs, 0u);
    EXPECT_EQ(record.help == nullptr, record.group == nullptr);
  }
}

TEST(Options, ThoseOfAnExecutionCanBeReadBack) {
  Options options;
  parse_option_text(&options, "--accesses all --isolation none --max-steps 77 --heap 5");
  Options again;
  for (const auto& [name, value] : execution_options(options)) set_option(&again, name, value);
  EXPECT_EQ(again.accesses, wire::Accesses::all);
  EXPECT_EQ(again.isolation, wire::Isolation::none);
  EXPECT_EQ(again.max_steps, 77u);
  EXPECT_EQ(again.heap, 5u);
}

TEST(Nearest, FindsWhatWasMeant) {
  std::vector<std::string> names = {"preemptions", "seconds", "seed", "executions"};
  EXPECT_EQ(symbols::nearest("preemption", names), "preemptions");
  EXPECT_EQ(symbols::nearest("sedd", names), "seed");
  EXPECT_EQ(symbols::nearest("sede", names), "seed");  // letters swapped
  EXPECT_EQ(symbols::nearest("exec", names), "executions");
  EXPECT_EQ(symbols::nearest("zzzz", names), "");
}

}  // namespace
}  // namespace heddle::options
