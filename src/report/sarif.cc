// Failures as SARIF 2.1.0: a result each, with the steps that led to it as a code flow, a thread
// flow for each thread.
#include <algorithm>
#include <set>

#include "report/style.h"
#include "report/tests.h"
#include "trace/words.h"
#include "warnings/sarif_document.h"

namespace heddle::report {

namespace {

using Json = warnings::SarifRun::Json;

constexpr size_t kSteps = 200;  // of an execution, its last ones

warnings::Location location_of(const trace::Place& place, const std::string& root) {
  auto column = static_cast<uint32_t>(std::max(place.column, 0));
  return {path_from(root, place.file), static_cast<uint32_t>(place.line), column, place.function};
}

bool is_known(const trace::Place* place) {
  return place != nullptr && !place->file.empty() && place->line > 0;
}

// A location, with what is to be said of it.
Json told(const trace::Place& place, const std::string& root, const std::string& words) {
  Json json = warnings::sarif_location(location_of(place, root));
  json["message"] = {{"text", words}};
  return json;
}

Json code_flows(const trace::Finding& finding, const std::string& root) {
  const trace::Timeline& timeline = finding.timeline;
  size_t begin = timeline.size() - std::min(timeline.size(), kSteps);
  Json flows = Json::array();
  for (uint32_t thread = 0; thread < timeline.threads.size(); ++thread) {
    Json locations = Json::array();
    for (size_t i = begin; i < timeline.size(); ++i) {
      const trace::Place* place = timeline.user_place(i);
      if (timeline.steps[i].thread != thread || !is_known(place)) continue;
      locations.push_back({{"location", told(*place, root, trace::step_words(timeline.step(i)))},
                           {"executionOrder", timeline.first + i + 1}});
    }
    if (locations.empty()) continue;
    flows.push_back({{"id", trace::thread_name(timeline.threads[thread])},
                     {"locations", std::move(locations)}});
  }
  if (flows.empty()) return flows;
  return Json::array({{{"threadFlows", std::move(flows)}}});
}

Json related(const trace::Finding& finding, const std::string& root) {
  Json all = Json::array();
  for (const trace::Witness& witness : finding.witnesses) {
    const trace::Place* place = trace::user_place(witness.stack);
    if (!is_known(place)) continue;
    std::string words = wire::role_name(witness.role);
    if (!witness.thread.empty()) words += " by " + trace::thread_name(witness.thread);
    Json one = told(*place, root, words);
    one["id"] = all.size() + 1;
    all.push_back(std::move(one));
  }
  return all;
}

Json result_of(const trace::Finding& finding, const std::string& test, const std::string& root) {
  const char* kind = wire::failure_name(finding.kind);
  Json result = {{"ruleId", kind},
                 {"kind", "fail"},
                 {"level", "error"},
                 {"message", {{"text", failure_in_short(finding)}}}};
  if (is_known(finding.place())) {
    result["locations"] =
        Json::array({warnings::sarif_location(location_of(*finding.place(), root))});
  }
  if (Json all = related(finding, root); !all.empty()) result["relatedLocations"] = std::move(all);
  if (Json flows = code_flows(finding, root); !flows.empty()) {
    result["codeFlows"] = std::move(flows);
  }
  result["properties"] = {{"test", test},
                          {"location", finding.location()},
                          {"execution", finding.execution},
                          {"steps", finding.steps},
                          {"preemptions", finding.preemptions},
                          {"schedule", finding.schedule_file}};
  return result;
}

}  // namespace

std::string sarif(const Tests& tests) {
  warnings::SarifRun run;
  std::set<std::string> rules;
  for (const Test& test : tests.all) {
    if (test.state != Test::State::searched) continue;
    for (const trace::Finding& finding : test.summary.findings) {
      run.results.push_back(result_of(finding, test.full_name(), tests.root));
      rules.insert(wire::failure_name(finding.kind));
    }
    TestVerdict verdict = verdict_of(test);
    if (verdict == TestVerdict::error) {
      run.successful = false;
      run.notify("error",
                 test.full_name() + ": " +
                     (test.summary.unrepeatable ? "the test is not repeatable"
                                                : "unsupported: " + test.summary.unsupported));
    }
    if (verdict == TestVerdict::incomplete) {
      run.notify("note", test.full_name() + ": incomplete: " + coverage(test.summary));
    }
  }
  for (const std::string& rule : rules) run.rules.push_back({{"id", rule}});
  if (tests.interrupted) run.successful = false;
  return run.document();
}

}  // namespace heddle::report
