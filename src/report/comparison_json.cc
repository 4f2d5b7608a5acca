// The JSON of `heddle compare`. Fields may be added, never renamed.
#include <nlohmann/json.hpp>

#include "report/comparison.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json or_null(const std::optional<Spread>& spread) {
  if (!spread) return nullptr;
  return {{"min", spread->min},
          {"mean", spread->mean},
          {"max", spread->max},
          {"deviation", or_null(spread->deviation)}};
}

Json to_json(const ComparedRun& run) {
  Json samples = Json::array();
  for (const Sample& sample : run.samples) {
    samples.push_back(Json::array({sample.seconds, sample.executions, sample.distinct}));
  }
  return {{"seed", run.seed},         {"failed", run.failed},   {"failure", or_null(run.failure)},
          {"complete", run.complete}, {"covered", run.covered}, {"executions", run.executions},
          {"distinct", run.distinct}, {"seconds", run.seconds}, {"notes", run.notes},
          {"samples", samples}};
}

Json to_json(const ComparedStrategy& strategy) {
  Figures figures = figures_of(strategy);
  Json runs = Json::array();
  for (const ComparedRun& run : strategy.runs) runs.push_back(to_json(run));
  return {{"name", strategy.name},
          {"uses_seed", strategy.uses_seed},
          {"preemptions", or_null(strategy.preemptions)},
          {"failed", figures.failed},
          {"complete", figures.complete},
          {"executions_to_failure", or_null(figures.executions)},
          {"seconds_to_failure", or_null(figures.seconds)},
          {"executions_per_failure", or_null(figures.executions_per_failure)},
          {"distinct", figures.distinct},
          {"distinct_per_second", figures.distinct_per_second},
          {"runs", runs}};
}

const char* reason_name(Best::Reason reason) {
  switch (reason) {
    case Best::Reason::finds:
      return "failure";
    case Best::Reason::covers:
      return "complete";
    case Best::Reason::goes_on:
      return "distinct";
  }
  return "?";
}

Json best(const Comparison& comparison) {
  std::optional<Best> best = best_of(comparison);
  if (!best) return nullptr;
  const ComparedStrategy& strategy = comparison.strategies[best->strategy];
  return {{"strategy", strategy.name},
          {"seed", strategy.uses_seed ? Json(strategy.runs[best->run].seed) : Json(nullptr)},
          {"reason", reason_name(best->reason)},
          {"command", command_of(comparison, *best)}};
}

Json failures(const Comparison& comparison) {
  Json all = Json::array();
  for (size_t i = 0; i < comparison.failures.size(); ++i) {
    const trace::Finding& finding = comparison.failures[i];
    all.push_back({{"kind", wire::failure_name(finding.kind)},
                   {"message", finding.message},
                   {"location", finding.location()},
                   {"schedule", finding.schedule_file},
                   {"strategies", finders_of(comparison, i)}});
  }
  return all;
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json strategies = Json::array();
  for (const ComparedStrategy& strategy : comparison.strategies) {
    strategies.push_back(to_json(strategy));
  }
  Json left_out = Json::array();
  for (const LeftOut& one : comparison.left_out) {
    left_out.push_back({{"strategy", one.strategy}, {"why", one.why}});
  }
  Json report = {
      {"heddle", HEDDLE_VERSION},
      {"program", comparison.program},
      {"budget",
       {{"executions", or_null(comparison.executions)}, {"seconds", or_null(comparison.seconds)}}},
      {"seeds", comparison.seeds},
      {"strategies", strategies},
      {"left_out", left_out},
      {"failures", failures(comparison)},
      {"best", best(comparison)},
      {"planned", comparison.planned},
      {"interrupted", comparison.interrupted},
      {"gave_up", nullptr},
      {"exit_code", comparison_exit_code(comparison)}};
  if (comparison.gave_up) report["gave_up"] = Json::parse(json(*comparison.gave_up));
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
