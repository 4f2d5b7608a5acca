#include "session/run_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "base/error.h"
#include "explore/search.h"
#include "explore/strategies.h"
#include "session/divergence.h"
#include "session/examiner.h"
#include "session/execution_list.h"
#include "session/focus.h"
#include "session/interrupt.h"
#include "session/parse_order.h"
#include "session/saver.h"
#include "session/stages.h"
#include "session/status_line.h"
#include "trace/make_finding.h"
#include "trace/symbols.h"

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

// Reduction covers all schedules, or none of them: where some are left out, those that it has left
// out for them would be missing too (gambit, section 2.3).
void refuse_with_reduction(const Options& options, const explore::StrategyRecord& record) {
  const char* other = nullptr;
  if (options.preemptions_given && options.preemptions.has_value()) other = "--preemptions";
  if (options.delays.has_value()) other = "--delays";
  if (options.depth.has_value()) other = "--depth";
  if (other != nullptr) {
    throw UserError(fmt::format(
        "--reduce dpor covers all schedules and takes no bound: leave out {} or --reduce", other));
  }
  if (options.spurious) {
    throw UserError(
        "--reduce dpor does not know of events that come for no reason: leave out --spurious or "
        "--reduce");
  }
  if (record.needs_budget) {
    throw UserError(fmt::format(
        "strategy {} runs schedules by chance: leave out --reduce dpor, or type --strategy "
        "best-first",
        record.name));
  }
}

// With something to look at first `auto` is best-first search.
const explore::StrategyRecord& strategy_of(const Options& options) {
  const explore::StrategyRecord& record = explore::find_strategy(options.strategy);
  if (asked_for(options).empty()) return record;
  if (record.staged) return explore::find_strategy("best-first");
  if (record.default_order != nullptr) return record;
  throw UserError(
      fmt::format("strategy {} has no order, and cannot look at anything first; type "
                  "--strategy best-first",
                  record.name));
}

explore::StrategyOptions strategy_options_of(const Options& options,
                                             const explore::StrategyRecord& record) {
  explore::StrategyOptions strategy;
  strategy.preemptions = options.preemptions;
  if (!options.preemptions_given && !options.delays) {
    strategy.preemptions = record.default_preemptions;
  }
  strategy.delays = options.delays;
  strategy.depth = options.depth;
  strategy.reduce = options.reduce;
  strategy.sleep_sets = options.sleep_sets;
  if (options.reduce) {
    refuse_with_reduction(options, record);
    strategy.preemptions = std::nullopt;
  }
  strategy.seed = options.seed;
  strategy.user = options.priority;
  strategy.memory = options.memory;
  strategy.directory = options.out;
  if (record.default_order != nullptr && (!record.staged || options.order.empty())) {
    const char* usual = options.reduce ? explore::kReducedOrder : record.default_order;
    strategy.order = order_of(options, usual);
  } else if (!options.order.empty()) {
    throw UserError(fmt::format("strategy {} has no order; type --strategy best-first --order {}",
                                record.name, fmt::join(options.order, ",")));
  }
  return strategy;
}

// A finding that has been told, so that a search that is saved can tell it again.
struct Told {
  uint64_t execution;
  uint64_t key;
  uint64_t racing;  // how many racing places were operations then
  std::string schedule_file;
  std::string stage;
  Trial trial;
};

// What a search keeps when it begins again with more racing places.
struct History {
  Saver saver;
  std::vector<Told> told;
  // Of the runs that it goes on from.
  double seconds = 0;
  uint64_t executions = 0;
};

void put_trial(explore::ByteWriter& out, const Trial& trial) {
  out.put_all(trial.schedule);
  out.put(trial.sampler);
  out.put(trial.seed);
}

Trial get_trial(explore::ByteReader& in) {
  Trial trial;
  trial.schedule = in.get_all<wire::Decision>();
  in.get(&trial.sampler);
  in.get(&trial.seed);
  return trial;
}

// Takes what the search finds, looks at it closely, and puts it into the summary.
class Recorder : public explore::SearchEvents {
 public:
  Recorder(const Subject& subject, const Options& options, const explore::Strategy& strategy,
           StatusLine* status, ExecutionList* list, History* history, report::Summary* summary)
      : subject_(subject),
        options_(options),
        strategy_(strategy),
        summary_(summary),
        examiner_(subject.launch, settings_of(options)),
        status_(*status),
        list_(list),
        history_(*history) {
    if (list_ != nullptr) list_->begin();
  }

  void first(const explore::Occurrence& what) override {
    const trace::Execution& execution = what.outcome.execution;
    first_ = {trial_of(strategy_, what.plan, what.outcome),
              execution.result,
              {execution.steps.begin(), execution.steps.end()}};
    modules_ = modules_of(what.worker.region().get());
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
    // Before the search began anew with more operations it may have been found already.
    auto known = [&](const trace::Finding& finding) {
      return finding.key == what.outcome.execution.result.failure_key;
    };
    if (std::ranges::any_of(summary_->findings, known)) return true;
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
    summary_->unrepeatable = explain_divergence(examiner_, strategy_, what);
  }

  void unsupported(const explore::Occurrence& what) override {
    summary_->unsupported = trace::describe_unsupported(what.worker.region().get());
  }

  // Other executions may have found places of their own by now; those of this one are what its
  // schedule leads to.
  void racing(const explore::Occurrence& what) override {
    std::optional<Examined> again =
        examiner_.run(trial_of(strategy_, what.plan, what.outcome), false);
    if (!again.has_value()) return;
    const wire::Region* region = examiner_.region();
    trace::Symbols symbols(region);
    uint32_t count = std::min(region->racing_found.load(), wire::kMaxRacing);
    for (uint32_t i = 0; i < count; ++i) {
      racing_.push_back(region->racing_new[i]);
      trace::CallStack stack = symbols.places(region->racing_new_pc[i]);
      racing_places_.push_back(trace::short_place(*trace::user_place(stack)));
    }
  }
  const std::vector<uint64_t>& racing_found() const { return racing_; }
  const std::vector<std::string>& racing_places() const { return racing_places_; }

  void each(const explore::Occurrence& what) override { list_->add(what.outcome.execution.result); }
  bool wants_each() const override { return list_ != nullptr; }

  void out_of_space(const std::string& why) override {
    summary_->notes.push_back(fmt::format(
        "the schedules that wait do not fit into memory (--memory) nor on the disk: {}; the search "
        "ends here",
        why));
  }

  void progress(const explore::Counts& counts) override {
    status_.show(counts, strategy_);
    if (history_.saver.due()) save_now();
  }

  std::function<void()> save_now;  // saves the search as it is

  void save(explore::ByteWriter& out) const {
    put_identity(out, modules_);
    put_trial(out, first_.trial);
    out.put(first_.result);
    out.put<uint64_t>(history_.told.size());
    for (const Told& told : history_.told) {
      out.put(told.execution);
      out.put(told.key);
      out.put(told.racing);
      out.put_text(told.schedule_file);
      out.put_text(told.stage);
      put_trial(out, told.trial);
    }
  }

  // Runs again what was found, to tell it in full. False: there was an interrupt. Throws UserError
  // if the program is not what it was.
  bool load(explore::ByteReader& in) {
    modules_ = get_identity(in);
    first_.trial = get_trial(in);
    in.get(&first_.result);
    std::optional<Examined> again = examiner_.run(first_.trial, false);
    if (!again.has_value()) return false;
    refuse_changed_program(modules_of(examiner_.region()));
    if (again->result.sequence != first_.result.sequence) refuse_other_way(1);
    first_.steps = again->steps;
    auto count = in.get<uint64_t>();
    for (uint64_t i = 0; i < count; ++i) {
      Told told{in.get<uint64_t>(), in.get<uint64_t>(), in.get<uint64_t>(),
                in.get_text(),      in.get_text(),      get_trial(in)};
      if (!tell_again(std::move(told))) return false;
    }
    return true;
  }

  double examining_seconds() const { return std::chrono::duration<double>(examining_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  struct First {
    Trial trial;
    wire::Result result{};
    std::vector<wire::Step> steps;
  };

  void refuse_changed_program(const Identity& now) const {
    for (size_t i = 0; i < std::max(now.size(), modules_.size()); ++i) {
      if (i < now.size() && i < modules_.size() && now[i] == modules_[i]) continue;
      throw UserError(
          fmt::format("{} is not what it was when the search {} was saved; leave out --resume to "
                      "begin anew",
                      i < now.size() ? now[i].first : modules_[i].first, history_.saver.path()));
    }
  }

  [[noreturn]] void refuse_other_way(uint64_t execution) const {
    throw UserError(
        fmt::format("the schedule of execution {} leads elsewhere than when the search {} was "
                    "saved: the test is not repeatable, or depends on something that has changed; "
                    "leave out --resume to begin anew",
                    execution, history_.saver.path()));
  }

  bool tell_again(Told told) {
    Options options = options_;
    options.racing.resize(std::min<size_t>(options.racing.size(), told.racing));
    Examiner examiner(subject_.launch, settings_of(options));
    std::optional<Examined> again = examiner.run(told.trial, true);
    if (!again.has_value()) return false;
    if (again->result.failure_key != told.key) refuse_other_way(told.execution);
    trace::Finding& finding = *again->finding;
    if (finding.steps == 0) finding.decisions = nameless(told.trial.schedule);
    finding.execution = told.execution;
    finding.schedule_file = told.schedule_file;
    finding.stage = told.stage;
    summary_->findings.push_back(std::move(finding));
    history_.told.push_back(std::move(told));
    return true;
  }

  // False: the failure does not come again.
  bool examine(const explore::Occurrence& what) {
    const trace::Execution& execution = what.outcome.execution;
    Trial trial = trial_of(strategy_, what.plan, what.outcome);
    std::optional<Examined> again = examiner_.run(trial, true);
    if (!again.has_value()) {
      keep(seen_once(what), what, trial);
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
    keep(std::move(finding), what, trial);
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

  void keep(trace::Finding finding, const explore::Occurrence& what, const Trial& trial) {
    finding.execution = what.number;
    std::vector<explore::Stage> stages = strategy_.stages();
    if (!stages.empty()) finding.stage = stages.back().name;
    save(&finding);
    history_.told.push_back({what.number, what.outcome.execution.result.failure_key,
                             options_.racing.size(), finding.schedule_file, finding.stage, trial});
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
  const explore::Strategy& strategy_;
  report::Summary* summary_;
  Examiner examiner_;
  StatusLine& status_;
  ExecutionList* list_;           // null: nobody asks for it
  std::vector<uint64_t> racing_;  // found by this search, beside those it began with
  std::vector<std::string> racing_places_;
  First first_;
  Identity modules_;
  History& history_;
  Clock::duration examining_{};
};

void fill_in(report::Summary* summary, explore::Search& search, const explore::Strategy& strategy) {
  const explore::Counts& counts = search.counts();
  summary->executions = counts.executions;
  summary->failing_executions = counts.failing;
  summary->steps = counts.steps;
  summary->pruned = counts.pruned;
  summary->redundant = counts.redundant;
  summary->cut = counts.cut;
  summary->distinct = search.distinct().count();
  summary->distinct_estimated = search.distinct().estimated();
  summary->threads = counts.threads;
  summary->max_steps = counts.max_steps;
  explore::TreeStatistics tree = strategy.statistics();
  summary->nodes_created = tree.nodes_created;
  summary->nodes_peak = tree.nodes_peak;
  summary->tree_bytes_peak = tree.bytes_peak;
  summary->spilled_bytes_peak = tree.spilled_bytes_peak;
  summary->uncompressed_bytes_peak = tree.uncompressed_bytes_peak;
  for (const explore::TreeSample& sample : tree.samples) {
    summary->tree_samples.push_back({sample.executions, sample.nodes_created, sample.alive,
                                     sample.bytes, sample.uncompressed_bytes});
  }
}

// What ended the search, in the summary's words.
void conclude(report::Summary* summary, explore::SearchEnd end, const explore::Limits& limits,
              const explore::Counts& counts, uint64_t executions_before, const Options& options) {
  summary->interrupted = end == explore::SearchEnd::interrupted || *Interrupt::flag() != 0;
  if (end == explore::SearchEnd::budget) {
    if (limits.executions.has_value() &&
        counts.executions - executions_before >= *limits.executions) {
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

namespace {

// One search from its beginning, with the racing places that are known so far.
class Round {
 public:
  Round(const Subject& subject, const Options& options, const explore::StrategyRecord& record,
        const std::vector<explore::StrategyOptions>& stages, const explore::Limits& limits,
        StatusLine* status, ExecutionList* list, History* history, report::Summary* summary)
      : strategy_(explore::make_strategy(record, stages)),
        recorder_(subject, options, *strategy_, status, list, history, summary),
        pool_(subject.launch, settings_of(options), *strategy_),
        search_(std::make_unique<explore::Search>(*strategy_, pool_, limits, recorder_)) {}

  Recorder& events() { return recorder_; }

  void save(explore::ByteWriter& out) const {
    recorder_.save(out);
    search_->save(out);
    strategy_->save(out);
  }

  // False: there was an interrupt.
  bool load(explore::ByteReader& in) {
    if (!recorder_.load(in)) return false;
    search_->load(in);
    strategy_->load(in);
    return true;
  }

  explore::SearchEnd run() {
    explore::SearchEnd end = search_->run();
    if (end == explore::SearchEnd::complete || end == explore::SearchEnd::budget)
      recorder_.look_again();
    return end;
  }

  double seconds() const { return search_->seconds() - recorder_.examining_seconds(); }
  explore::Search& search() { return *search_; }
  const explore::Strategy& strategy() const { return *strategy_; }
  const Recorder& recorder() const { return recorder_; }

 private:
  std::unique_ptr<explore::Strategy> strategy_;
  Recorder recorder_;
  pool::Pool pool_;
  std::unique_ptr<explore::Search> search_;
};

// A search that could go on is saved; one that has come to an end leaves nothing behind.
void keep_or_remove(explore::SearchEnd end, const std::function<void()>& save, Saver* saver,
                    report::Summary* summary) {
  if (end == explore::SearchEnd::budget || end == explore::SearchEnd::interrupted) save();
  bool at_an_end = end == explore::SearchEnd::complete || end == explore::SearchEnd::failure ||
                   end == explore::SearchEnd::diverged || end == explore::SearchEnd::unsupported;
  // A failure may also be told in haste, when an interrupt has come.
  if (at_an_end && *Interrupt::flag() == 0) saver->remove();
  if (!saver->problem().empty()) {
    summary->notes.push_back(fmt::format("the search was not saved: {}", saver->problem()));
  }
}

// What is left of the budget for the next round.
void spend(explore::Limits* limits, const Round& round, uint64_t executions) {
  if (limits->executions) *limits->executions -= std::min(*limits->executions, executions);
  if (limits->seconds) *limits->seconds = std::max(*limits->seconds - round.seconds(), 0.001);
}

std::string racing_note(std::vector<std::string> places) {
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  constexpr size_t kShown = 10;
  size_t hidden = places.size() - std::min(places.size(), kShown);
  places.resize(places.size() - hidden);
  return fmt::format("threads were also switched at accesses that race: {}{}",
                     fmt::join(places, ", "),
                     hidden == 0 ? "" : fmt::format(" and {} more", hidden));
}

}  // namespace

report::Summary run_search(const Subject& subject, const Options& given) {
  const explore::StrategyRecord& record = strategy_of(given);
  explore::StrategyOptions strategy_options = strategy_options_of(given, record);
  std::vector<explore::StrategyOptions> stages = stages_of(given, record, strategy_options);
  explore::Limits limits = limits_of(given, record);

  report::Summary summary;
  summary.program = subject.command;
  summary.strategy = record.name;
  summary.seed = given.seed;
  summary.accesses = covered_accesses(given);
  summary.spurious = given.spurious;
  if (!record.needs_budget) {
    summary.preemptions = stages.back().preemptions;
    summary.delays = strategy_options.delays;
    summary.depth = strategy_options.depth;
    if (strategy_options.reduce) summary.reduce = "dpor";
    if (!record.staged) summary.order = fmt::format("{}", fmt::join(strategy_options.order, ","));
  }
  if (given.uninstrumented) {
    summary.notes.push_back(
        "the program is not instrumented: threads are switched at its library calls alone; its "
        "atomics and other accesses are not seen, nor are data races and wrong accesses to the "
        "heap");
  }
  std::unique_ptr<ExecutionList> list = ExecutionList::open(given);
  StatusLine status(!given.quiet);
  Options options = given;
  options.focus = find_focus(subject, given);
  std::vector<std::string> racing;
  explore::Limits left = limits;
  History history{
      Saver(saved_search_path(subject, given), identity_of(subject, given, record, stages)), {}};
  std::unique_ptr<explore::ByteReader> saved;
  if (given.resume) {
    saved = history.saver.open();
    saved->get(&history.seconds);
    options.racing = saved->get_all<uint64_t>();
    racing.resize(saved->get<uint64_t>());
    for (std::string& place : racing) place = saved->get_text();
  }
  for (;;) {
    Round round(subject, options, record, stages, left, &status, list.get(), &history, &summary);
    auto save = [&] {
      history.saver.write([&](explore::ByteWriter& out) {
        out.put(history.seconds + round.seconds());
        out.put_all(options.racing);
        out.put<uint64_t>(racing.size());
        for (const std::string& place : racing) out.put_text(place);
        round.save(out);
      });
    };
    round.events().save_now = save;
    bool loaded = saved == nullptr || round.load(*saved);
    saved = nullptr;
    history.executions = round.search().counts().executions;
    explore::SearchEnd end = loaded ? round.run() : explore::SearchEnd::interrupted;
    if (loaded) keep_or_remove(end, save, &history.saver, &summary);
    const Recorder& recorder = round.recorder();
    if (end == explore::SearchEnd::learnt && !recorder.racing_found().empty()) {
      options.racing.insert(options.racing.end(), recorder.racing_found().begin(),
                            recorder.racing_found().end());
      racing.insert(racing.end(), recorder.racing_places().begin(), recorder.racing_places().end());
      spend(&left, round, round.search().counts().executions - history.executions);
      bool has_room = options.racing.size() <= wire::kMaxRacing;
      if (has_room && left.executions.value_or(1) > 0) continue;
      if (!has_room) {
        summary.notes.push_back(fmt::format(
            "more than {} places race: too many to explore; --accesses all takes every access",
            wire::kMaxRacing));
      }
      end = explore::SearchEnd::budget;
    }
    status.erase();
    summary.seconds = history.seconds + round.seconds();
    fill_in(&summary, round.search(), round.strategy());
    conclude(&summary, end, limits, round.search().counts(), history.executions, options);
    tell_stages(&summary, round.strategy());
    break;
  }
  if (list != nullptr) {
    std::string problem = list->finish();
    if (!problem.empty()) summary.notes.push_back(problem);
  }
  if (!racing.empty()) summary.notes.push_back(racing_note(racing));
  return summary;
}

}  // namespace heddle::session
