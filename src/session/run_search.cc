#include "session/run_search.h"

#include <fmt/format.h>

#include <cstring>

#include "explore/search.h"
#include "explore/strategies.h"
#include "session/divergence.h"
#include "session/examiner.h"
#include "session/interrupt.h"
#include "session/status_line.h"
#include "trace/make_finding.h"

namespace heddle::session {

namespace {

constexpr uint64_t kDefaultBudget = 10'000;  // executions, of a strategy that never completes
constexpr size_t kMaxFindings = 1000;        // different failures told in one run

explore::Limits limits_of(const Options& options, const explore::StrategyRecord& strategy) {
  explore::Limits limits;
  limits.executions = options.executions;
  limits.seconds = options.seconds;
  limits.keep_going = options.keep_going;
  if (strategy.needs_budget && !limits.executions && !limits.seconds) {
    limits.executions = kDefaultBudget;
  }
  return limits;
}

// Takes what the search finds, looks at it closely, and puts it into the summary.
class Recorder : public explore::SearchEvents {
 public:
  Recorder(const Subject& subject, const Options& options, const pool::Planner& planner,
           report::Summary* summary)
      : subject_(subject),
        options_(options),
        planner_(planner),
        summary_(summary),
        examiner_(subject.launch, settings_of(options)),
        status_(!options.quiet) {}

  void first(const explore::Occurrence& what) override {
    const trace::Execution& execution = what.outcome.execution;
    first_ = {trial_of(planner_, what.plan, what.outcome),
              execution.result,
              {execution.steps.begin(), execution.steps.end()}};
  }

  // Each execution is compared with others as far as their schedules agree, and no further: what
  // differs after the last decision, or in the only execution, would go unnoticed. So the first
  // schedule is run once more when all is done.
  void look_again() {
    auto begin = Clock::now();
    pool::Settings settings = settings_of(options_);
    settings.show_output = false;  // it is no execution of the search
    Examiner examiner(subject_.launch, settings);
    std::optional<Examined> again = examiner.run(first_.trial, false);
    examining_ += Clock::now() - begin;
    if (!again.has_value() || (again->result.sequence == first_.result.sequence &&
                               again->result.ending == first_.result.ending)) {
      return;
    }
    summary_->unrepeatable =
        compare_runs({first_.steps, examiner.region()}, {again->steps, examiner.region()}, 1);
    summary_->notes.push_back("the first schedule was run again in the end, and led elsewhere");
  }

  bool failure(const explore::Occurrence& what) override {
    if (summary_->findings.size() >= kMaxFindings) {
      summary_->notes = {
          fmt::format("more than {} different failures: the others are not told", kMaxFindings)};
      return true;
    }
    status_.erase();
    auto begin = Clock::now();
    bool repeatable = examine(what);
    examining_ += Clock::now() - begin;
    return repeatable;
  }

  void diverged(const explore::Occurrence& what) override {
    status_.erase();
    summary_->unrepeatable = explain_divergence(examiner_, planner_, what);
  }

  void unsupported(const explore::Occurrence& what) override {
    summary_->unsupported = trace::describe_unsupported(what.worker.region().get());
  }

  void progress(const explore::Counts& counts) override { status_.show(counts); }

  void end() { status_.erase(); }
  double examining_seconds() const { return std::chrono::duration<double>(examining_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  struct First {
    Trial trial;
    wire::Result result{};
    std::vector<wire::Step> steps;
  };

  // False: the failure does not come again.
  bool examine(const explore::Occurrence& what) {
    const trace::Execution& execution = what.outcome.execution;
    Trial trial = trial_of(planner_, what.plan, what.outcome);
    std::optional<Examined> again = examiner_.run(trial, true);
    if (!again.has_value()) {
      keep(seen_once(what), what.number);
      return false;
    }
    if (again->result.sequence != execution.result.sequence ||
        again->result.failure_key != execution.result.failure_key) {
      summary_->unrepeatable = compare_runs({execution.steps, what.worker.region().get()},
                                            {again->steps, examiner_.region()}, what.number);
      summary_->notes.push_back(
          fmt::format("a failure ({}) in execution {} did not come again on the same schedule",
                      wire::failure_name(execution.result.failure), what.number));
      return false;
    }
    trace::Finding& finding = *again->finding;
    if (finding.steps == 0) finding.decisions = nameless(trial.schedule);
    keep(std::move(finding), what.number);
    return true;
  }

  // Of an execution that took its steps with it: where it was sent is known nevertheless.
  static std::vector<trace::NamedDecision> nameless(const trace::Schedule& schedule) {
    std::vector<trace::NamedDecision> decisions;
    for (const wire::Decision& decision : schedule) {
      decisions.push_back({decision.step, decision.choice, "?", ""});
    }
    return decisions;
  }

  // After an interrupt: what is known of the failure without a closer look.
  trace::Finding seen_once(const explore::Occurrence& what) const {
    const trace::Execution& execution = what.outcome.execution;
    trace::Finding finding =
        trace::make_finding(what.worker.region().get(), execution, execution.steps);
    if (!what.outcome.message.empty()) finding.message = what.outcome.message;
    if (finding.message.empty()) finding.message = "interrupted before it was looked at closely";
    return finding;
  }

  void keep(trace::Finding finding, uint64_t number) {
    finding.execution = number;
    save(&finding);
    summary_->findings.push_back(std::move(finding));
  }

  void save(trace::Finding* finding) {
    std::string path = schedule_path(subject_, options_, summary_->findings.size() + 1);
    trace::ScheduleFile file = trace::schedule_file_of(*finding);
    describe_subject(subject_, options_, &file);
    try {
      trace::write_schedule_file(path, file);
      finding->schedule_file = path;
    } catch (const std::runtime_error& error) {
      summary_->notes.push_back(fmt::format("the schedule was not saved: {}", error.what()));
    }
  }

  const Subject& subject_;
  const Options& options_;
  const pool::Planner& planner_;
  report::Summary* summary_;
  Examiner examiner_;
  StatusLine status_;
  First first_;
  Clock::duration examining_{};
};

void fill_in(report::Summary* summary, explore::Search& search, const explore::Strategy& strategy) {
  const explore::Counts& counts = search.counts();
  summary->executions = counts.executions;
  summary->failing_executions = counts.failing;
  summary->steps = counts.steps;
  summary->pruned = counts.pruned;
  summary->cut = counts.cut;
  summary->distinct = search.distinct().count();
  summary->distinct_estimated = search.distinct().estimated();
  summary->threads = counts.threads;
  summary->max_steps = counts.max_steps;
  explore::TreeStatistics tree = strategy.statistics();
  summary->nodes_created = tree.nodes_created;
  summary->nodes_peak = tree.nodes_peak;
  summary->tree_bytes_peak = tree.bytes_peak;
  summary->uncompressed_bytes_peak = tree.uncompressed_bytes_peak;
}

// What ended the search, in the summary's words.
void conclude(report::Summary* summary, explore::SearchEnd end, const explore::Limits& limits,
              const explore::Counts& counts, const Options& options) {
  summary->interrupted = end == explore::SearchEnd::interrupted || *Interrupt::flag() != 0;
  if (end == explore::SearchEnd::budget) {
    if (limits.executions.has_value() && counts.executions >= *limits.executions) {
      summary->stopped_by = fmt::format("--executions {}{}", *limits.executions,
                                        options.executions.has_value() ? "" : " (the default)");
    } else if (limits.seconds.has_value()) {
      summary->stopped_by = fmt::format("--seconds {:g}", *limits.seconds);
    }
  }
  if (counts.cut > 0) {
    summary->notes.push_back(fmt::format(
        "{} of {} executions were cut after {} steps; if they would end, give them more: "
        "--max-steps {}",
        counts.cut, counts.executions, options.max_steps, uint64_t{options.max_steps} * 10));
  }
  summary->complete = end == explore::SearchEnd::complete && counts.cut == 0;
  if (!summary->findings.empty()) {
    summary->verdict = report::Verdict::failed;
  } else {
    summary->verdict = summary->complete ? report::Verdict::passed : report::Verdict::incomplete;
  }
}

}  // namespace

report::Summary run_search(const Subject& subject, const Options& options) {
  const explore::StrategyRecord& record = explore::find_strategy(options.strategy);
  explore::StrategyOptions strategy_options;
  strategy_options.preemptions =
      options.preemptions_given ? options.preemptions : record.default_preemptions;
  strategy_options.depth = options.depth;
  strategy_options.seed = options.seed;
  std::unique_ptr<explore::Strategy> strategy = record.make(strategy_options);
  explore::Limits limits = limits_of(options, record);

  report::Summary summary;
  summary.program = subject.command;
  summary.strategy = record.effective_name;
  summary.seed = options.seed;
  summary.accesses = accesses_name(options.accesses);
  summary.spurious = options.spurious;
  if (!record.needs_budget) {
    summary.preemptions = strategy_options.preemptions;
    summary.depth = strategy_options.depth;
  }
  Recorder recorder(subject, options, *strategy, &summary);
  pool::Pool pool(subject.launch, settings_of(options), *strategy);
  explore::Search search(*strategy, pool, limits, recorder);
  explore::SearchEnd end = search.run();
  if (end == explore::SearchEnd::complete || end == explore::SearchEnd::budget)
    recorder.look_again();
  summary.seconds = search.seconds() - recorder.examining_seconds();
  recorder.end();
  fill_in(&summary, search, *strategy);
  conclude(&summary, end, limits, search.counts(), options);
  return summary;
}

}  // namespace heddle::session
