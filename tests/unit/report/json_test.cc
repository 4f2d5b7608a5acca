#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/findings.h"
#include "report/summary.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

// The object of the manual, name by name, in its order.
TEST(JsonReport, HasTheDocumentedFields) {
  Json report = Json::parse(json(summary_of({deadlock()})));
  Json expected = Json::parse(R"({
    "heddle": "0.1.0", "program": ["./philosophers", "a b"], "verdict": "failed",
    "failures": [ { "kind": "deadlock", "message": "3 threads wait for each other, and none can go on",
                    "location": "philosophers.cc:17", "execution": 3, "stage": null, "sampler": null, "steps": 7, "preemptions": 1,
                    "switches": 0, "found": { "steps": 0, "preemptions": 0, "switches": 0 }, "simplified": false, "fewest": false,
                   "critical": null, "twin": null, "schedule": "heddle-out/philosophers-1.heddle", "test_to_keep": null, "object": null, "witnesses": [], "note": null, "cycle": null, "waits": [], "trace": null } ],
    "executions": 17, "steps": 561, "pruned": 0, "distinct": 17, "threads": 3, "max_steps": 40,
    "seconds": 0.02, "executions_per_second": 850.0,
    "coverage": { "complete": false, "preemptions": 2, "reduce": "none", "fair": false, "accesses": "sync", "spurious": false,
                  "states": null },
    "strategy": { "name": "dfs", "sampled": [], "order": "", "seed": 1, "stages": [] }, "matching": null,
    "memory": { "nodes_created": 0, "nodes_peak": 0, "tree_bytes_peak": 0, "spilled_bytes_peak": 0, "uncompressed_bytes_peak": 0, "samples": [] } })");
  expected["heddle"] = HEDDLE_VERSION;
  for (const auto& [key, value] : expected.items()) {
    ASSERT_TRUE(report.contains(key)) << key;
    if (key == "coverage") {
      for (const auto& [inner, inner_value] : value.items())
        EXPECT_EQ(report[key][inner], inner_value) << inner;
    } else {
      EXPECT_EQ(report[key], value) << key;
    }
  }
  EXPECT_EQ(report["exit_code"], 1);
}

TEST(JsonReport, TheWholeTraceOnRequest) {
  trace::Finding second = deadlock();
  second.object = "\"trace\": null";  // a field is another thing than its look
  Json report = Json::parse(json(summary_of({deadlock(), second, crash()}), true));
  for (size_t i : {0, 1}) {
    const Json& trace = report["failures"][i]["trace"];
    ASSERT_EQ(trace.size(), 7);
    EXPECT_EQ(trace[4], Json::parse(R"({"step": 4, "thread": "1", "operation": "lock mutex",
      "object": "forks[0]", "location": "philosophers.cc:16", "before": null, "after": null,
      "outcome": 0, "choice": 0, "options": 1, "preemption": false, "in_vain": false,
      "yields": false})"));
    EXPECT_EQ(trace[5]["preemption"], true);
    EXPECT_EQ(trace[5]["object"], nullptr);
  }
  EXPECT_EQ(report["failures"][2]["trace"], Json::array());
}

TEST(JsonReport, UnboundedAndInstantSearches) {
  Summary summary = summary_of({});
  summary.preemptions.reset();
  summary.seconds = 0;
  Json report = Json::parse(json(summary));
  EXPECT_TRUE(report["coverage"]["preemptions"].is_null());
  EXPECT_EQ(report["executions_per_second"], 0.0);
  EXPECT_TRUE(report["executions_per_second"].is_number_float());
  EXPECT_TRUE(report["failures"].is_array());
  EXPECT_TRUE(report["failures"].empty());
}

TEST(JsonReport, SamplersAndStates) {
  Summary summary;
  summary.sampled = {{"rf", 30, 7}};
  summary.matching = {12, 5, true, 3};
  nlohmann::json report = nlohmann::json::parse(json(summary));
  EXPECT_EQ(report["strategy"]["sampled"],
            nlohmann::json::parse(R"([{"name": "rf", "executions": 30, "distinct": 7}])"));
  EXPECT_EQ(report["matching"],
            nlohmann::json::parse(R"({"states": 12, "matched": 5, "depth": 3})"));
  // Without matching nobody knows how often a state came again.
  summary.matching = {12, 5, false, std::nullopt};
  report = nlohmann::json::parse(json(summary));
  EXPECT_EQ(report["matching"],
            nlohmann::json::parse(R"({"states": 12, "matched": null, "depth": null})"));
}

TEST(JsonReport, WhatRemains) {
  Summary summary = summary_of({});
  auto remaining = [&] { return nlohmann::json::parse(json(summary))["coverage"]["remaining"]; };
  EXPECT_TRUE(remaining().is_null());
  summary.remaining = {12, std::nullopt};
  EXPECT_EQ(remaining(), nlohmann::json::parse(
                             R"({"waiting": 12, "estimate": null, "low": null, "high": null})"));
  summary.remaining->range = Range{20.4, 12, 1e30};
  EXPECT_EQ(remaining(),
            nlohmann::json::parse(R"({"waiting": 12, "estimate": 20, "low": 12, "high": 1e30})"));
}

TEST(JsonReport, BytesThatAreNoTextAreReplaced) {
  trace::Finding finding = crash();
  finding.message = "bad \xff byte";
  Json report = Json::parse(json(summary_of({finding})));
  EXPECT_EQ(report["failures"][0]["message"], "bad \xEF\xBF\xBD byte");
  EXPECT_EQ(report["failures"][0]["location"], "philosophers.cc:41");
}

TEST(JsonReport, CycleOfALivelock) {
  Json failure = Json::parse(json(summary_of({livelock()})))["failures"][0];
  EXPECT_EQ(failure["kind"], "livelock");
  EXPECT_EQ(failure["location"], "philosophers.cc:11");
  EXPECT_EQ(failure["cycle"]["begin"], 11);
  EXPECT_EQ(failure["cycle"]["length"], 6);
  EXPECT_EQ(failure["cycle"]["repeats"], 3333);
  EXPECT_EQ(failure["cycle"]["steps"].size(), 6u);
  EXPECT_EQ(failure["cycle"]["steps"][2], Json::parse(R"({
    "thread": "1", "operation": "try to lock mutex", "object": "fork2", "in_vain": true, "yields": true,
    "location": "philosophers.cc:11" })"));
  EXPECT_EQ(failure["waits"][1], Json::parse(R"({
    "thread": "2", "looks": "tries to lock mutex fork1, held by T1",
    "location": "philosophers.cc:21" })"));
}

TEST(JsonReport, UnrepeatableAndInterrupted) {
  Summary summary = summary_of({});
  summary.unrepeatable = Unrepeatable{4, 12, true, "a", "b"};
  Json report = Json::parse(json(summary));
  EXPECT_EQ(report["unrepeatable"]["step"], 12);
  EXPECT_EQ(report["exit_code"], 3);
  EXPECT_EQ(report["verdict"], "incomplete");
}

TEST(Verdict, IsNeverPassedForASearchThatGaveUp) {
  Summary summary = summary_of({});
  summary.verdict = Verdict::passed;
  EXPECT_EQ(verdict_of(summary), Verdict::incomplete);
  summary.complete = true;
  EXPECT_EQ(verdict_of(summary), Verdict::passed);
  summary.interrupted = true;
  EXPECT_EQ(verdict_of(summary), Verdict::incomplete);
  summary.interrupted = false;
  summary.unrepeatable = Unrepeatable{};
  EXPECT_EQ(verdict_of(summary), Verdict::incomplete);
  summary.unrepeatable.reset();
  summary.findings.push_back(crash());
  EXPECT_EQ(verdict_of(summary), Verdict::failed);
}

TEST(Verdict, ExitCodes) {
  Summary summary = summary_of({});
  EXPECT_EQ(exit_code(summary), 0);
  summary.verdict = Verdict::passed;
  EXPECT_EQ(exit_code(summary), 0);
  EXPECT_EQ(exit_code(summary_of({crash()})), 1);
  summary.unrepeatable = Unrepeatable{};
  EXPECT_EQ(exit_code(summary), 3);
  summary.unsupported = "process-shared mutexes";
  EXPECT_EQ(exit_code(summary), 2);
  summary.interrupted = true;
  EXPECT_EQ(exit_code(summary), 130);
}

}  // namespace
}  // namespace heddle::report
