#include "session/divergence.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/make_finding.h"

namespace heddle::session {

namespace {

constexpr int kAttempts = 5;  // to see the difference again

bool same(const wire::Step& a, const wire::Step& b) {
  return a.thread == b.thread && a.op == b.op && a.object == b.object && a.options == b.options &&
         a.free_options == b.free_options;
}

std::string describe(const TracedRun& run, uint32_t step) {
  if (step >= run.steps.size()) return "the end of the execution";
  return trace::describe_step(run.modules, run.steps, step);
}

// What tells apart two steps that read the same.
std::string difference(const TracedRun& expected, const TracedRun& found, uint32_t step) {
  if (step >= expected.steps.size() || step >= found.steps.size()) return "";
  const wire::Step& a = expected.steps[step];
  const wire::Step& b = found.steps[step];
  if (a.object != b.object) return ", on another object";
  if (a.options == b.options) return ", with other threads to give way to";
  return fmt::format(", with {} options instead of {}", b.options, a.options);
}

}  // namespace

std::optional<uint32_t> first_difference(std::span<const wire::Step> a,
                                         std::span<const wire::Step> b) {
  size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i) {
    if (!same(a[i], b[i])) return static_cast<uint32_t>(i);
  }
  return std::nullopt;
}

report::Unrepeatable compare_runs(const TracedRun& expected, const TracedRun& found,
                                  uint64_t execution) {
  report::Unrepeatable result;
  result.execution = execution;
  std::optional<uint32_t> step = first_difference(expected.steps, found.steps);
  result.step =
      step.value_or(static_cast<uint32_t>(std::min(expected.steps.size(), found.steps.size())));
  result.step_known = step.has_value() || expected.steps.size() != found.steps.size();
  if (result.step_known) {
    result.expected = describe(expected, result.step);
    result.found = describe(found, result.step);
    if (result.expected == result.found) result.found += difference(expected, found, result.step);
  }
  return result;
}

// The schedule without its last decision leads, up to that, along the same steps. It is run again,
// and compared with the run that went astray; if the two agree, it was the earlier run that
// differed from both, and other runs have to show it.
report::Unrepeatable explain_divergence(Examiner& examiner, const pool::Planner& planner,
                                        const explore::Occurrence& what) {
  Rerun prefix;
  prefix.schedule.resize(what.plan.decision_count);
  planner.write_decisions(what.plan, prefix.schedule.data());
  if (!prefix.schedule.empty()) prefix.schedule.pop_back();
  uint32_t limit = what.plan.check_step;

  trace::Evidence evidence = what.evidence();
  if (evidence.steps.size() > limit) evidence.steps.resize(limit);
  TracedRun astray{evidence.steps, evidence.modules};
  std::vector<Examined> seen;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::optional<Examined> run = examiner.run(prefix, false);
    if (!run.has_value()) break;
    if (run->steps.size() > limit) run->steps.resize(limit);
    if (first_difference(run->steps, astray.steps).has_value()) {
      return compare_runs({run->steps, run->modules}, astray, what.number);
    }
    for (const Examined& earlier : seen) {
      if (first_difference(run->steps, earlier.steps).has_value()) {
        return compare_runs({run->steps, run->modules}, {earlier.steps, earlier.modules},
                            what.number);
      }
    }
    seen.push_back(std::move(*run));
  }
  report::Unrepeatable result;
  result.execution = what.number;
  result.step = limit;
  result.step_known = false;
  return result;
}

}  // namespace heddle::session
