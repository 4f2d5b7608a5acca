#include "report/yield_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

YieldPlace place(const std::string& function, int line, bool race, uint64_t executions) {
  YieldPlace place;
  place.file = "queue.h";
  place.line = line;
  place.location = "queue.h:" + std::to_string(line);
  place.function = function;
  place.race = race;
  place.executions = executions;
  SeenStep here{"T1", "write head", place.location};
  place.cases.push_back({{here, {"T2", "read head", "queue.h:57"}}, race, executions});
  return place;
}

TEST(YieldPlaces, WhatToType) {
  EXPECT_EQ(yield_call(place("Queue::push()", 41, false, 1)), "HEDDLE_YIELD(\"Queue::push:41\")");
  EXPECT_EQ(yield_call(place("", 41, false, 1)), "HEDDLE_YIELD(\"queue.h:41\")");
  EXPECT_EQ(yield_call(place("operator\"\"_s()", 4, false, 1)), "HEDDLE_YIELD(\"operator_s:4\")");
  YieldPlace unknown = place("", 0, false, 1);
  unknown.location = "program+0x12";
  EXPECT_EQ(yield_call(unknown), "HEDDLE_YIELD(\"program+0x12\")");
}

TEST(YieldPlaces, RacesThenFrequentOnesThenByLine) {
  std::vector<YieldPlace> places = {place("f", 5, false, 2), place("f", 4, false, 9),
                                    place("f", 3, true, 1), place("f", 2, false, 2)};
  rank(&places);
  std::vector<int> lines;
  for (const YieldPlace& one : places) lines.push_back(one.line);
  EXPECT_THAT(lines, ElementsAre(3, 4, 2, 5));
}

TEST(YieldPlaces, OnlyAWholeSearchIsCooperable) {
  YieldReport report;
  report.summary.executions = report.looked_at = 7;
  report.summary.complete = true;
  EXPECT_THAT(cooperative_text(report), HasSubstr("cooperable: no interference; all schedules"));
  report.summary.preemptions = 2;
  EXPECT_THAT(
      cooperative_text(report),
      HasSubstr("incomplete: no interference in what was seen; all schedules with at most"));
  report.summary.complete = false;
  report.summary.stopped_by = "--executions 7";
  EXPECT_THAT(cooperative_text(report),
              HasSubstr("incomplete: no interference in what was seen; budget exhausted "
                        "(--executions 7) after 7 executions"));
  EXPECT_EQ(cooperative_exit_code(report), 0);
  report.places.push_back(place("f", 5, false, 2));
  report.places[0].cases[0].steps.resize(4);
  EXPECT_THAT(cooperative_text(report), HasSubstr("not cooperable: interference at 1 place; "
                                                  "incomplete, budget exhausted"));
  EXPECT_EQ(cooperative_exit_code(report), 1);
  EXPECT_EQ(yields_exit_code(report), 0);
  report.summary.interrupted = true;
  EXPECT_EQ(cooperative_exit_code(report), 130);
}

TEST(YieldPlaces, PlacesWithoutALineSaySo) {
  YieldReport report;
  report.summary.complete = true;
  report.places.push_back(place("f", 5, true, 2));
  std::string text = yields_text(report);
  EXPECT_THAT(text, HasSubstr("write head by T1 races with read head by T2 at queue.h:57"));
  EXPECT_THAT(text, testing::Not(HasSubstr("build with -g")));
  report.places[0].line = 0;
  EXPECT_THAT(yields_text(report), HasSubstr("build with -g"));
}

}  // namespace
}  // namespace heddle::report
