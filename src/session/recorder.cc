#include "session/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "report/failure_text.h"
#include "session/divergence.h"
#include "session/test_to_keep.h"
#include "symbols/symbols.h"
#include "trace/make_finding.h"

namespace heddle::session {

namespace {

std::string ending_words(const Examined& examined) {
  if (examined.result.ending != wire::Ending::failed) return "without a failure";
  const trace::Finding& finding = *examined.finding;
  return fmt::format("{}{}{}", wire::failure_name(finding.kind),
                     finding.location().empty() ? "" : " at " + finding.location(),
                     finding.message.empty() ? "" : ", " + finding.message);
}

// What is known of the failure without a closer look, of which there was none since: `why`.
trace::TraceFile seen_once(const explore::Occurrence& what, const char* why) {
  trace::Evidence evidence = what.evidence();
  trace::Finding finding = trace::make_finding(evidence);
  if (!what.outcome.message.empty()) finding.message = what.outcome.message;
  if (finding.message.empty()) finding.message = why;
  return {std::move(finding), std::move(evidence.steps), std::move(evidence.modules)};
}

// Its runs are no executions of the search.
pool::Settings unseen(pool::Settings settings) {
  settings.show_output = 0;
  return settings;
}

}  // namespace

std::vector<trace::NamedDecision> nameless(const trace::Schedule& schedule) {
  std::vector<trace::NamedDecision> decisions;
  for (const wire::Decision& decision : schedule) {
    decisions.push_back({decision.step, decision.choice, "?", ""});
  }
  return decisions;
}

Recorder::Recorder(const Subject& subject, const Options& options,
                   const explore::Strategy& strategy, StatusLine* status, ExecutionList* list,
                   Onlooker* onlooker, const Saver& saver, CampaignState* state)
    : subject_(subject),
      options_(options),
      strategy_(strategy),
      examiner_(subject.launch, unseen(settings_of(options))),
      explainer_(subject, options, &examiner_),
      status_(*status),
      list_(list),
      onlooker_(onlooker),
      saver_(saver),
      state_(*state) {
  if (list_ != nullptr) list_->begin();
  if (onlooker_ != nullptr) onlooker_->begin();
}

void Recorder::each(const explore::Occurrence& what) {
  if (list_ != nullptr) list_->add(what.outcome.execution.result);
  if (onlooker_ == nullptr) return;
  onlooker_->look_at(what, [&]() -> std::optional<Examined> {
    Rerun rerun = rerun_of(strategy_, what.plan, what.outcome);
    auto begin = Clock::now();
    std::optional<Examined> again = examiner_.run(rerun, true);
    examining_ += Clock::now() - begin;
    bool same =
        again.has_value() && goes_the_same_way(again->result, what.outcome.execution.result, rerun);
    return same ? std::move(again) : std::nullopt;
  });
}

void Recorder::first(const explore::Occurrence& what) {
  trace::Evidence evidence = what.evidence();
  modules_ = modules_of(evidence.modules);
  first_ = First{rerun_of(strategy_, what.plan, what.outcome), evidence.result,
                 std::move(evidence.steps), std::move(evidence.modules)};
}

std::optional<Switches> Recorder::switches() const {
  return first_ ? most_switches(first_->steps, first_->modules) : std::nullopt;
}

void Recorder::look_again() {
  // One that chance has ended (runtime/decide/descend.h) goes on where its schedule alone is
  // followed.
  if (!first_ || first_->result.ending == wire::Ending::redundant) return;
  auto begin = Clock::now();
  Examiner examiner(subject_.launch, unseen(settings_of(options_)));
  std::optional<Examined> again = examiner.run(first_->rerun, false);
  examining_ += Clock::now() - begin;
  if (!again.has_value() || (goes_the_same_way(again->result, first_->result, first_->rerun) &&
                             again->result.ending == first_->result.ending)) {
    return;
  }
  summary().unrepeatable =
      compare_runs({first_->steps, again->modules}, {again->steps, again->modules}, 1);
  summary().notes.push_back("the first schedule was run again at the end, and diverged");
}

// However often the search begins again, or comes to it.
void Recorder::note_once(std::string note) {
  std::vector<std::string>& notes = summary().notes;
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
}

// A data race need not end an execution: where it is suppressed, the search begins again without
// it, so that what comes after it is seen.
explore::Suppression Recorder::suppress(const explore::Occurrence& what) {
  const wire::Result& result = what.outcome.execution.result;
  bool may_be_standard = result.failure == wire::Failure::livelock && result.cycle != 0;
  if (options_.suppressions.empty() && !may_be_standard) return explore::Suppression::none;
  auto known = [&](const report::Suppressed& one) { return one.key == result.failure_key; };
  if (std::ranges::any_of(summary().suppressed, known)) return explore::Suppression::passed_over;
  auto begin = Clock::now();
  std::optional<Examined> again = examiner_.run(rerun_of(strategy_, what.plan, what.outcome), true);
  examining_ += Clock::now() - begin;
  // One that does not come again is looked at as others are.
  if (!again.has_value() || again->result.failure_key != result.failure_key)
    return explore::Suppression::none;
  // What the standard library does to avoid deadlocks is no mistake of its user. The state comes
  // back: what could follow is covered from where it was before.
  if (trace::is_retry_of_std_lock(*again->finding)) {
    std_lock_retries_ = true;
    note_once(kStdLockRetries);
    return explore::Suppression::passed_over;
  }
  const trace::Suppression* rule = suppression_of(options_.suppressions, *again->finding);
  if (rule == nullptr) return explore::Suppression::none;
  summary().suppressed.push_back(
      {again->finding->kind, again->finding->location(), rule->place, result.failure_key});
  if (result.failure != wire::Failure::data_race) return explore::Suppression::passed_over;
  racing_.push_back(result.failure_key);
  return explore::Suppression::learnt;
}

bool Recorder::is_told(uint64_t key) const {
  auto has_key = [&](const trace::Finding& finding) { return finding.key == key; };
  bool before = series != nullptr && std::ranges::find(series->told, key) != series->told.end();
  bool elsewhere =
      told_by_others != nullptr && std::ranges::find(*told_by_others, key) != told_by_others->end();
  return before || elsewhere || std::ranges::any_of(state_.summary.findings, has_key);
}

// The strategy is not told of an execution that ends the search.
void Recorder::count_states(const explore::Occurrence& what) {
  const causality::Execution& execution = what.outcome.execution;
  uint32_t steps = execution.result.step_count;
  uint32_t before = what.plan.decision_count - what.plan.hint_count;
  switch (what.plan.decider) {
    case wire::Decider::descend:
      summary().states_to_failure = depth_ - std::min(before, depth_);
      break;
    case wire::Decider::guide:
      summary().states_to_failure = steps - std::min(what.plan.first_step, steps);
      if (!execution.notes.empty()) {
        summary().passed_to_failure = static_cast<uint32_t>(execution.notes.front());
      }
      break;
    default:
      break;
  }
}

bool Recorder::failure(const explore::Occurrence& what) {
  if (onlooker_ != nullptr) return true;
  uint64_t key = what.outcome.execution.result.failure_key;
  if (series != nullptr) series->found = key;
  // Before the search began anew with more operations it may have been found already.
  if (is_told(key)) return true;
  if (summary().findings.size() >= kMaxFindings) {
    note_once(
        fmt::format("more than {} different failures: the others are not reported", kMaxFindings));
    return true;
  }
  status_.erase();
  auto begin = Clock::now();
  sampler_ = strategy_.sampler_of(what.plan);
  stage_ = strategy_.stage_of(what.plan);
  depth_ = what.outcome.execution.result.depth;
  if (!options_.keep_going) count_states(what);
  bool repeatable = examine(what);
  examining_ += Clock::now() - begin;
  return repeatable;
}

void Recorder::diverged(const explore::Occurrence& what) {
  status_.erase();
  summary().unrepeatable = explain_divergence(examiner_, strategy_, what);
}

void Recorder::unsupported(const explore::Occurrence& what) {
  trace::Unsupported found = trace::describe_unsupported(what.evidence());
  summary().unsupported = found.words;
  summary().hint = found.hint;
}

// Other executions may have found places of their own by now; those of this one are what its
// schedule leads to.
void Recorder::racing(const explore::Occurrence& what) {
  std::optional<Examined> again =
      examiner_.run(rerun_of(strategy_, what.plan, what.outcome), false);
  if (!again.has_value()) return;
  if (again->wanted) {
    script_places_.push_back(trace::find_script_place(*again));
  }
  trace::Symbols symbols(again->modules);
  for (const wire::FoundPlace& place : again->racing) {
    if (std::ranges::find(racing_, place.name) != racing_.end()) continue;
    racing_.push_back(place.name);
    if (place.pc == 0) continue;  // that there is such a place is all there is to know
    if (std::optional<RacingPair> pair = pair_of(place, again->modules)) {
      racing_pairs_.push_back(*pair);
    }
    trace::CallStack stack = symbols.places(place.pc);
    racing_places_.push_back(trace::short_place(*trace::user_place(stack)));
  }
}

void Recorder::out_of_space(const std::string& why) {
  summary().notes.push_back(fmt::format(
      "the schedules that wait do not fit into memory (--memory) nor on the disk: {}; the search "
      "ends here",
      why));
}

void Recorder::progress(const explore::Counts& counts) {
  status_.show(counts, strategy_);
  sample_now();
  if (saver_.due()) save_now();
}

double Recorder::seconds_to_conclude() { return saver_.excess(strategy_.waiting()); }

// False: the failure does not come again.
bool Recorder::examine(const explore::Occurrence& what) {
  wire::Result result = what.outcome.execution.result;
  Rerun rerun = rerun_of(strategy_, what.plan, what.outcome);
  explain(what, &rerun, &result);
  std::optional<Examined> again = examiner_.run(rerun, true);
  if (!again.has_value()) {
    keep(seen_once(what, "interrupted before it was looked at closely"), what.number,
         result.failure_key, rerun);
    return false;
  }
  bool same_way = goes_the_same_way(again->result, result, rerun);
  if (!same_way || again->result.failure_key != result.failure_key) {
    if (comes_again(rerun, result)) {
      summary().notes.push_back(fmt::format(
          "the failure in execution {} comes again on the same schedule, but not with a closer "
          "look, which ended so: {}",
          what.number, ending_words(*again)));
      keep(seen_once(what, "no closer look was possible"), what.number, result.failure_key, rerun);
      return true;
    }
    trace::Evidence seen = what.evidence();
    summary().unrepeatable =
        compare_runs({seen.steps, seen.modules}, {again->steps, again->modules}, what.number);
    summary().notes.push_back(
        fmt::format("a failure ({}) in execution {} did not recur on the same schedule",
                    wire::failure_name(result.failure), what.number));
    return false;
  }
  trace::TraceFile found{std::move(*again->finding), {}, {}};
  if (found.finding.steps == 0) found.finding.decisions = nameless(rerun.schedule);
  explainer_.tell(explanation_, *again, &found);
  found.steps = std::move(again->steps);
  found.modules = std::move(again->modules);
  keep(std::move(found), what.number, result.failure_key, rerun);
  return true;
}

// Where a simpler schedule fails in the same way, it is what is told.
void Recorder::explain(const explore::Occurrence& what, Rerun* rerun, wire::Result* result) {
  explanation_ = {};
  const trace::Execution& execution = what.outcome.execution;
  explanation_.found = {result->preemptions, switches_of(execution.steps), result->step_count};
  // Of several searches only the numbers are asked for; and of an execution that took its steps
  // with it, nothing can be said.
  if (series != nullptr || !execution.is_whole() || !what.outcome.message.empty()) return;
  KnownRun run{*result, {execution.steps.begin(), execution.steps.end()}};
  explanation_ = explainer_.explain(&run, &state_.explaining_left, what.end);
  if (!explanation_.is_simplified) return;
  *rerun = rerun_along(run.schedule());
  *result = run.result;
}

// Whether the failure comes again if nobody looks.
bool Recorder::comes_again(const Rerun& rerun, const wire::Result& result) {
  std::optional<Examined> again = examiner_.run(rerun, false);
  return again.has_value() && again->result.failure_key == result.failure_key &&
         goes_the_same_way(again->result, result, rerun);
}

void Recorder::infeasible(const explore::Occurrence& what) {
  const wire::Result& result = what.outcome.execution.result;
  bool is_better = result.transfers != best_.transfers ? result.transfers > best_.transfers
                                                       : result.step_count > best_.steps;
  if (best_.execution != 0 && !is_better) return;
  best_ = {rerun_of(strategy_, what.plan, what.outcome), what.number, result.transfers,
           result.step_count};
  best_.rerun.flags |= wire::kMustBeFeasible;
}

void Recorder::realised(const explore::Occurrence& what) {
  summary().witness = what.number;
  std::optional<Examined> again = examiner_.run(rerun_of(strategy_, what.plan, what.outcome), true);
  if (!again.has_value()) return;
  write_schedule(&*again->finding);
  if (again->finding->schedule_file.empty()) return;
  summary().witness_replay = report::replay_command(*again->finding);
}

void Recorder::tell_unmet(const explore::Counts& counts) {
  if (options_.question == options::Question::none || counts.finished != 0) return;
  if (options_.may_be_empty || !summary().findings.empty() || counts.cut != 0) return;
  trace::TraceFile found;
  trace::Finding& finding = found.finding;
  finding.kind = wire::Failure::unmet;
  finding.message = fmt::format("no execution goes as the script says: all {} were discarded",
                                counts.executions - counts.learning);
  // No schedule leads there: each was given up by the script itself.
  if (best_.execution == 0) return summary().findings.push_back(std::move(finding));
  std::optional<Examined> again = examiner_.run(best_.rerun, true);
  if (!again.has_value()) return;
  found = {std::move(*again->finding), std::move(again->steps), std::move(again->modules)};
  explanation_ = {};
  explanation_.found = {again->result.preemptions, found.finding.switches, found.finding.steps};
  keep(std::move(found), best_.execution, again->result.failure_key, best_.rerun);
}

void Recorder::keep(trace::TraceFile found, uint64_t execution, uint64_t key, const Rerun& rerun) {
  trace::Finding& finding = found.finding;
  finding.execution = execution;
  finding.sampler = sampler_;
  finding.stage = stage_;
  finding.depth = depth_;
  finding.found = {explanation_.found.steps, explanation_.found.preemptions,
                   explanation_.found.switches};
  write_schedule(&finding);
  finding.test_to_keep = test_to_keep(subject_, options_, finding);
  if (!finding.schedule_file.empty()) {
    found.sources = trace::source_texts(finding);
    write_trace(found);
  }
  state_.findings.push_back({execution, key, options_.racing.size(), finding.schedule_file,
                             finding.stage, finding.sampler, rerun, explanation_});
  summary().findings.push_back(std::move(finding));
}

void Recorder::write_schedule(trace::Finding* finding) {
  size_t before = series != nullptr ? series->told.size() : 0;
  std::string path = schedule_path(subject_, options_, before + summary().findings.size() + 1);
  trace::ScheduleFile file = trace::schedule_file_of(*finding);
  describe_subject(subject_, options_, &file);
  try {
    trace::write_schedule_file(path, file);
    finding->schedule_file = path;
    finding->needs_trust = needs_trust(subject_);
  } catch (const std::runtime_error& error) {
    summary().notes.push_back(fmt::format("the schedule was not saved: {}", error.what()));
  }
}

void Recorder::write_trace(const trace::TraceFile& found) {
  std::string path = trace::trace_beside(found.finding.schedule_file);
  // One that is there already is of another schedule.
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  try {
    trace::write_trace_file(path, found);
  } catch (const std::runtime_error& error) {
    summary().notes.push_back(fmt::format("the trace was not saved: {}", error.what()));
  }
}

}  // namespace heddle::session
