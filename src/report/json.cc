// The JSON report: names and nesting are part of the contract with scripts. Fields may be added,
// never renamed.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "report/json_trace.h"
#include "report/summary.h"

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// In whole numbers, as far as they can be told.
Json or_null(const std::optional<Range>& range) {
  if (!range) return nullptr;
  auto whole = [](double number) -> Json {
    constexpr double kMost = 9e15;  // below it, a double has no fraction that would be missed
    if (number < kMost) return static_cast<uint64_t>(std::round(number));
    return number;
  };
  return {{"estimate", whole(range->estimate)},
          {"low", whole(range->low)},
          {"high", whole(range->high)}};
}

Json or_null(const std::optional<Remaining>& remaining) {
  if (!remaining) return nullptr;
  Json json = {
      {"waiting", remaining->waiting}, {"estimate", nullptr}, {"low", nullptr}, {"high", nullptr}};
  if (remaining->range) json.update(or_null(remaining->range));
  return json;
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json frames(const trace::CallStack& stack) {
  Json all = Json::array();
  for (const trace::Place& place : stack) {
    all.push_back({{"function", place.function},
                   {"file", place.file},
                   {"line", place.line},
                   {"module", place.module}});
  }
  return all;
}

Json witnesses(const trace::Finding& finding) {
  Json all = Json::array();
  for (const trace::Witness& witness : finding.witnesses) {
    all.push_back({{"role", wire::role_name(witness.role)},
                   {"thread", or_null(witness.thread)},
                   {"bytes", witness.size},
                   {"stack", frames(witness.stack)}});
  }
  return all;
}

std::string location(const trace::CallStack& stack) {
  const trace::Place* place = trace::user_place(stack);
  return place != nullptr ? trace::short_place(*place) : "";
}

Json cycle(const trace::Finding& finding) {
  if (!finding.cycle) return nullptr;
  Json steps = Json::array();
  for (const trace::DetailedStep& step : finding.cycle->steps) {
    steps.push_back({{"thread", step.thread},
                     {"operation", wire::op_name(step.op)},
                     {"object", or_null(step.object)},
                     {"in_vain", step.in_vain},
                     {"yields", step.yields},
                     {"location", location(step.stack)}});
  }
  return {{"begin", finding.cycle->begin},
          {"length", finding.cycle->length},
          {"repeats", finding.cycle->repeats},
          {"steps", steps}};
}

Json waits(const trace::Finding& finding) {
  Json all = Json::array();
  for (const trace::Wait& wait : finding.waits) {
    all.push_back(
        {{"thread", wait.thread}, {"looks", wait.words}, {"location", location(wait.stack)}});
  }
  return all;
}

Json steps(const std::vector<trace::DetailedStep>& steps) {
  Json all = Json::array();
  for (const trace::DetailedStep& step : steps) {
    all.push_back({{"step", step.step},
                   {"thread", step.thread},
                   {"operation", wire::op_name(step.op)},
                   {"object", or_null(step.object)},
                   {"location", location(step.stack)}});
  }
  return all;
}

Json critical(const trace::Finding& finding) {
  if (!finding.critical) return nullptr;
  const trace::CriticalStep& critical = *finding.critical;
  Json json = {{"step", nullptr}, {"tried", critical.tried}, {"all", critical.all}};
  if (critical.some_pass) json.update(steps({critical.what}).front());
  return json;
}

Json twin(const trace::Finding& finding) {
  if (!finding.twin) return nullptr;
  return {{"step", finding.twin->step},
          {"adjacent", finding.twin->adjacent},
          {"own", finding.twin->is_own},
          {"failing", steps(finding.twin->failing)},
          {"passing", steps(finding.twin->passing)}};
}

Json former(const Summary& summary) {
  if (!summary.former) return nullptr;
  return {{"failed", summary.former->failed},
          {"passed", summary.former->passed},
          {"unfit", summary.former->unfit},
          {"others", summary.former->others}};
}

Json failure(const trace::Finding& finding) {
  return {{"kind", wire::failure_name(finding.kind)},
          {"message", finding.message},
          {"location", finding.location()},
          {"execution", finding.execution},
          {"stage", or_null(finding.stage)},
          {"sampler", or_null(finding.sampler)},
          {"steps", finding.steps},
          {"preemptions", finding.preemptions},
          {"switches", finding.switches},
          {"found",
           {{"steps", finding.found.steps},
            {"preemptions", finding.found.preemptions},
            {"switches", finding.found.switches}}},
          {"simplified", finding.is_simplified},
          {"fewest", finding.fewest},
          {"critical", critical(finding)},
          {"twin", twin(finding)},
          {"schedule", finding.schedule_file},
          {"test_to_keep", or_null(finding.test_to_keep)},
          {"object", or_null(finding.object)},
          {"witnesses", witnesses(finding)},
          {"note", or_null(finding.note)},
          {"cycle", cycle(finding)},
          {"waits", waits(finding)},
          {"trace", nullptr}};
}

Json suppressed(const Summary& summary) {
  Json all = Json::array();
  for (const Suppressed& one : summary.suppressed) {
    all.push_back(
        {{"kind", wire::failure_name(one.kind)}, {"location", one.location}, {"by", one.by}});
  }
  return all;
}

Json warnings(const Summary& summary) {
  Json all = Json::array();
  for (const Warning& warning : summary.warnings) {
    all.push_back({{"kind", wire::failure_name(warning.kind)},
                   {"message", warning.message},
                   {"location", warning.location}});
  }
  return all;
}

Json unrepeatable(const std::optional<Unrepeatable>& what) {
  if (!what) return nullptr;
  return {{"execution", what->execution},
          {"step", what->step},
          {"step_known", what->step_known},
          {"expected", what->expected},
          {"found", what->found}};
}

Json strategy(const Summary& summary) {
  Json stages = Json::array();
  for (const Stage& stage : summary.stages) {
    stages.push_back({{"name", stage.name},
                      {"order", stage.order},
                      {"preemptions", or_null(stage.preemptions)},
                      {"reduce", stage.reduce},
                      {"executions", stage.executions},
                      {"complete", stage.complete},
                      {"remaining", or_null(stage.remaining)},
                      {"seconds", stage.seconds}});
  }
  Json sampled = Json::array();
  for (const Sampled& one : summary.sampled) {
    sampled.push_back(
        {{"name", one.name}, {"executions", one.executions}, {"distinct", one.distinct}});
  }
  return {{"name", summary.strategy},
          {"sampled", sampled},
          {"order", summary.order},
          {"seed", summary.seed},
          {"stages", stages}};
}

Json machines(const Summary& summary) {
  if (!summary.machines) return nullptr;
  return {{"machines", summary.machines->machines},
          {"workers", summary.machines->workers},
          {"tasks", summary.machines->tasks}};
}

Json shard(const Summary& summary) {
  if (!summary.shard) return nullptr;
  return {{"index", summary.shard->index},
          {"count", summary.shard->count},
          {"complete", summary.shard->complete},
          {"file", or_null(summary.shard->file)}};
}

Json matching(const Summary& summary) {
  if (!summary.matching) return nullptr;
  return {{"states", summary.matching->states},
          {"matched", summary.matching->on ? Json(summary.matching->matched) : Json(nullptr)},
          {"depth", or_null(summary.matching->depth)}};
}

Json guided(const Summary& summary) {
  if (!summary.guided) return nullptr;
  return {{"places", summary.guided->places},
          {"passed", summary.guided->passed},
          {"states", summary.guided->states}};
}

// A line for each: there are hundreds.
std::string samples(const Summary& summary) {
  std::string text = "[";
  for (const TreeSample& sample : summary.tree_samples) {
    Json one = {{"executions", sample.executions},
                {"nodes_created", sample.nodes_created},
                {"alive", sample.alive},
                {"bytes", sample.bytes},
                {"uncompressed_bytes", or_null(sample.uncompressed_bytes)}};
    text += (text.size() == 1 ? "\n      " : ",\n      ") + one.dump();
  }
  return text + (summary.tree_samples.empty() ? "]" : "\n    ]");
}

// What is there for null in the next field of that name, from `at` on. Returns the end of it. No
// string can look like a field: in strings, quotation marks have a backslash.
size_t put(const std::string& value, std::string_view field, size_t at, std::string* text) {
  std::string place = fmt::format("\"{}\": null", field);
  at = text->find(place, at) + place.size() - 4;
  text->replace(at, 4, value);
  return at + value.size();
}

}  // namespace

std::string json(const Summary& summary, bool trace) {
  Json failures = Json::array();
  for (const trace::Finding& finding : summary.findings) failures.push_back(failure(finding));
  double rate =
      summary.seconds > 0 ? static_cast<double>(summary.executions) / summary.seconds : 0.0;
  Json report = {{"heddle", HEDDLE_VERSION},
                 {"program", summary.program},
                 {"verdict", verdict_name(verdict_of(summary))},
                 {"failures", failures},
                 {"executions", summary.executions},
                 {"steps", summary.steps},
                 {"pruned", summary.pruned},
                 {"redundant", summary.redundant},
                 {"learning", summary.learning},
                 {"distinct", summary.distinct},
                 {"realised", summary.scripted ? Json(summary.realised) : Json(nullptr)},
                 {"infeasible", summary.scripted ? Json(summary.infeasible) : Json(nullptr)},
                 {"threads", summary.threads},
                 {"max_steps", summary.max_steps},
                 {"seconds", summary.seconds},
                 {"executions_per_second", rate},
                 {"coverage",
                  {{"complete", summary.complete},
                   {"remaining", or_null(summary.remaining)},
                   {"preemptions", or_null(summary.preemptions)},
                   {"completed_preemptions", or_null(completed_preemptions(summary))},
                   {"delays", or_null(summary.delays)},
                   {"depth", or_null(summary.depth)},
                   {"reduce", summary.reduce},
                   {"fair", summary.fair},
                   {"set_back", summary.set_back},
                   {"yield_after", summary.yield_after != 0 ? Json(summary.yield_after) : Json()},
                   {"accesses", summary.accesses},
                   {"spurious", summary.spurious},
                   {"retries", summary.last_retries ? "last" : "all"},
                   {"unvaried", summary.unvaried},
                   {"states", or_null(summary.states)}}},
                 {"shard", shard(summary)},
                 {"parts", summary.parts != 0 ? Json(summary.parts) : Json()},
                 {"machines", machines(summary)},
                 {"strategy", strategy(summary)},
                 {"matching", matching(summary)},
                 {"guided", guided(summary)},
                 {"memory",
                  {{"nodes_created", summary.nodes_created},
                   {"nodes_peak", summary.nodes_peak},
                   {"tree_bytes_peak", summary.tree_bytes_peak},
                   {"spilled_bytes_peak", summary.spilled_bytes_peak},
                   {"uncompressed_bytes_peak", summary.uncompressed_bytes_peak},
                   {"samples", nullptr}}},
                 {"former", former(summary)},
                 {"failing_executions", summary.failing_executions},
                 {"cut", summary.cut},
                 {"distinct_estimated", summary.distinct_estimated},
                 {"interrupted", summary.interrupted},
                 {"stopped_by", or_null(summary.stopped_by)},
                 {"unrepeatable", unrepeatable(summary.unrepeatable)},
                 {"unsupported", or_null(summary.unsupported)},
                 {"hint", or_null(summary.hint)},
                 {"suppressed", suppressed(summary)},
                 {"warnings", warnings(summary)},
                 {"notes", summary.notes},
                 {"advice", summary.advice},
                 {"exit_code", exit_code(summary)}};
  // Messages and paths of the program under test may hold bytes that are not UTF-8.
  std::string text = report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  size_t at = 0;
  for (const trace::Finding& finding : summary.findings) {
    if (trace) at = put(json_trace(finding.timeline), "trace", at, &text);
  }
  put(samples(summary), "samples", at, &text);
  return text;
}

}  // namespace heddle::report
