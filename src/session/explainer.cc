#include "session/explainer.h"

#include <algorithm>
#include <utility>

namespace heddle::session {

namespace {

// What an execution costs beside its steps, in steps of some 50 ns each.
constexpr uint32_t kOfSnapshot = 150;  // to set the program back, and to send the result
constexpr uint32_t kOfFork = 10'000;   // a process of its own

// Some twenty times what the executions of an ordinary test take.
constexpr auto kAtMost = std::chrono::seconds(10);

pool::Settings silent_settings(const Options& options) {
  pool::Settings settings = settings_of(options);
  settings.show_output = 0;
  return settings;
}

Explanation::Runs runs_of(const Twins& twins) {
  Explanation::Runs runs{twins.step, twins.adjacent, rerun_along(twins.passing.schedule()),
                         std::nullopt};
  if (twins.failing.has_value()) runs.failing = rerun_along(twins.failing->schedule());
  return runs;
}

}  // namespace

Explainer::Explainer(const Subject& subject, const Options& options, Examiner* examiner)
    : options_(options), examiner_(*examiner) {
  if (options.show_output) silent_.emplace(subject.launch, silent_settings(options));
}

Explanation Explainer::explain(KnownRun* run, uint64_t* left, Budget::Clock::time_point end) {
  Explanation explanation;
  explanation.found = run->cost();
  // A script says itself how its executions go.
  bool may_be = options_.explain && options_.question == options::Question::none;
  if (!may_be || run->steps.empty() || !can_be_simplified(run->result.failure)) return explanation;
  Prober& prober = silent_ ? *silent_ : examiner_;
  // What accesses do is not seen in a program that is not instrumented.
  bool matches = !options_.uninstrumented;
  uint32_t of_execution = isolation_of(options_) == wire::Isolation::fork ? kOfFork : kOfSnapshot;
  uint64_t units = std::min(*left, kExplaining);
  Budget budget(units, of_execution, std::min(Budget::Clock::now() + kAtMost, end));
  if (budget.is_spent()) return explanation;
  // One that does not come again is told as such, and is not explained.
  std::optional<KnownRun> again = run_one(prober, rerun_along(run->schedule()));
  if (!again.has_value() || again->result.sequence != run->result.sequence) return explanation;
  budget.pay(again->result);
  Budget first_half = budget.part(units / 2);
  Simplified simplified = simplify(prober, *run, matches, &first_half);
  budget.give_back(first_half);
  explanation.is_simplified = simplified.is_simpler;
  explanation.fewest = simplified.proved;
  *run = std::move(simplified.run);
  std::optional<Critical> critical;
  if (!simplified.interrupted) critical = find_critical(prober, *run, matches, &budget);
  if (critical.has_value()) {
    explanation.critical = {critical->step.has_value(), critical->step.value_or(0), critical->tried,
                            critical->all};
    std::optional<Twins> twins = find_twins(prober, *run, *critical, &budget);
    if (twins.has_value()) explanation.twins = runs_of(*twins);
  }
  *left -= units - budget.left();
  return explanation;
}

void Explainer::tell(const Explanation& explanation, const trace::Evidence& evidence,
                     trace::TraceFile* found) {
  trace::Finding& finding = found->finding;
  finding.found = {explanation.found.steps, explanation.found.preemptions,
                   explanation.found.switches};
  finding.is_simplified = explanation.is_simplified;
  finding.fewest = explanation.fewest;
  if (!explanation.critical.has_value()) return;
  trace::CriticalStep critical{explanation.critical->some_pass,
                               explanation.critical->step,
                               explanation.critical->tried,
                               explanation.critical->all,
                               {}};
  uint32_t number = critical.step;
  std::vector<trace::DetailedStep> step = trace::make_steps(evidence, std::span(&number, 1));
  if (!step.empty()) critical.what = std::move(step.front());
  finding.critical = std::move(critical);
  if (explanation.twins.has_value()) look_at_twins(*explanation.twins, evidence, found);
}

// False: one of them does not come again with a closer look.
bool Explainer::look_at_twins(const Explanation::Runs& twins, const trace::Evidence& evidence,
                              trace::TraceFile* found) {
  std::optional<Examined> passing = examiner_.run(twins.passing, true);
  if (!passing.has_value() || passing->result.ending != wire::Ending::finished) return false;
  std::optional<Examined> failing;
  if (twins.failing.has_value()) {
    failing = examiner_.run(*twins.failing, true);
    if (!failing.has_value() || failing->result.ending != wire::Ending::failed) return false;
  }
  std::vector<uint32_t> numbers{twins.step};
  if (twins.adjacent) numbers.push_back(twins.step + 1);
  trace::Twin twin;
  twin.step = twins.step;
  twin.adjacent = twins.adjacent;
  twin.is_own = !failing.has_value();
  const trace::Evidence& other = failing.has_value() ? *failing : evidence;
  twin.failing = trace::make_steps(other, numbers);
  twin.passing = trace::make_steps(*passing, numbers);
  if (twin.failing.size() != numbers.size() || twin.passing.size() != numbers.size()) return false;
  found->finding.twin = std::move(twin);
  found->passing = std::move(passing->finding);
  if (failing.has_value()) found->failing = std::move(failing->finding);
  return true;
}

void put_explanation(explore::ByteWriter& out, const Explanation& explanation) {
  out.put(explanation.found);
  out.put<uint8_t>(explanation.is_simplified ? 1 : 0);
  out.put<uint8_t>(explanation.fewest ? 1 : 0);
  out.put<uint8_t>(explanation.critical ? 1 : 0);
  if (explanation.critical) {
    out.put<uint8_t>(explanation.critical->some_pass ? 1 : 0);
    out.put(explanation.critical->step);
    out.put(explanation.critical->tried);
    out.put<uint8_t>(explanation.critical->all ? 1 : 0);
  }
  out.put<uint8_t>(explanation.twins ? 1 : 0);
  if (!explanation.twins) return;
  out.put(explanation.twins->step);
  out.put<uint8_t>(explanation.twins->adjacent ? 1 : 0);
  put_rerun(out, explanation.twins->passing);
  out.put<uint8_t>(explanation.twins->failing ? 1 : 0);
  if (explanation.twins->failing) put_rerun(out, *explanation.twins->failing);
}

Explanation get_explanation(explore::ByteReader& in) {
  auto flag = [&] { return in.get<uint8_t>() != 0; };
  Explanation explanation;
  in.get(&explanation.found);
  explanation.is_simplified = flag();
  explanation.fewest = flag();
  if (flag()) {
    Explanation::Step& critical = explanation.critical.emplace(Explanation::Step{});
    critical.some_pass = flag();
    in.get(&critical.step);
    in.get(&critical.tried);
    critical.all = flag();
  }
  if (!flag()) return explanation;
  Explanation::Runs& twins = explanation.twins.emplace(Explanation::Runs{});
  in.get(&twins.step);
  twins.adjacent = flag();
  twins.passing = get_rerun(in);
  if (flag()) twins.failing = get_rerun(in);
  return explanation;
}

}  // namespace heddle::session
