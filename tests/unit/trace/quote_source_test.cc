#include "trace/quote_source.h"

#include <gtest/gtest.h>

#include "trace/built_program.h"

namespace heddle::trace {
namespace {

class QuoteSource : public testing::Test {
 protected:
  QuoteSource() {
    write_text(folder_ / "a.cc", "one\n  \tx = y;  \r\n\nfour\n" + std::string(1000, 'x'));
    write_text(folder_ / "b.cc", "of b\n");
  }
  Place at(const std::string& file, int line) const {
    Place place;
    place.file = folder_ / file;
    place.line = line;
    return place;
  }

  TemporaryDirectory folder_;
};

TEST_F(QuoteSource, EveryStackHasTheLineOfItsUserPlace) {
  Finding finding;
  Place system = at("b.cc", 1);
  system.system = true;
  finding.stack = {system, at("a.cc", 2), at("a.cc", 4)};
  finding.witnesses = {{wire::Role::freed, "1", 0, {at("b.cc", 1)}}};
  std::vector<DetailedStep> steps(2);
  steps[0].stack = {at("a.cc", 4)};
  steps[1].stack = {at("a.cc", 1)};
  finding.timeline = Timeline(steps);
  finding.cycle = Cycle{0, 1, 1, {steps[1]}};
  finding.waits = {{"1", "reads x", {at("a.cc", 4)}}};
  finding.threads.resize(2);
  finding.threads[0].stack = {at("a.cc", 2)};
  quote_source(&finding);
  EXPECT_EQ(finding.stack[0].source, "");
  EXPECT_EQ(finding.stack[1].source, "x = y;");
  EXPECT_EQ(finding.stack[2].source, "");
  EXPECT_EQ(finding.witnesses[0].stack[0].source, "of b");
  EXPECT_EQ(finding.timeline.user_place(0)->source, "four");
  EXPECT_EQ(finding.timeline.user_place(1)->source, "one");
  EXPECT_EQ(finding.cycle->steps[0].stack[0].source, "one");
  EXPECT_EQ(finding.waits[0].stack[0].source, "four");
  EXPECT_EQ(finding.threads[0].stack[0].source, "x = y;");
}

TEST_F(QuoteSource, WhatCannotBeReadIsEmpty) {
  std::vector<DetailedStep> steps;
  for (Place place :
       {at("a.cc", 3), at("a.cc", 0), at("a.cc", 99), at("gone.cc", 1), at("", 1), at("a.cc", 5)}) {
    steps.emplace_back().stack = {place};
  }
  Finding finding;
  finding.timeline = Timeline(steps);
  quote_source(&finding);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(finding.timeline.user_place(i)->source, "") << i;
  EXPECT_EQ(finding.timeline.user_place(5)->source, std::string(237, 'x') + "...");
}

}  // namespace
}  // namespace heddle::trace
