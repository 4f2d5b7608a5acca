// What a search finds: each failure is run once more, looked at closely, put into the summary and
// into a file of its own; and all of it is kept with a search that is saved.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "explore/search.h"
#include "session/divergence.h"
#include "session/examiner.h"
#include "session/execution_list.h"
#include "session/saver.h"
#include "session/status_line.h"
#include "symbols/symbols.h"
#include "trace/make_finding.h"

namespace heddle::session {

inline constexpr size_t kMaxFindings = 1000;  // different failures told in one run

// A finding that has been told, so that a search that is saved can tell it again.
struct Told {
  uint64_t execution;
  uint64_t key;
  uint64_t racing;  // how many racing places were operations then
  std::string schedule_file;
  std::string stage;
  Rerun rerun;
};

// What a search keeps when it begins again with more racing places.
struct History {
  Saver saver;
  std::vector<Told> told;
  // Of the runs that it goes on from.
  double seconds = 0;
  uint64_t executions = 0;
};

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
    first_ = First{rerun_of(strategy_, what.plan, what.outcome),
                   execution.result,
                   {execution.steps.begin(), execution.steps.end()}};
    modules_ = modules_of(what.evidence().modules);
  }

  // Each execution is compared with others as far as their schedules agree, and no further: what
  // differs after the last decision, or in the only execution, would go unnoticed. So the first
  // schedule is run once more when all is done.
  void look_again() {
    if (!first_) return;
    auto begin = Clock::now();
    pool::Settings settings = settings_of(options_);
    settings.show_output = false;  // it is no execution of the search
    Examiner examiner(subject_.launch, settings);
    std::optional<Examined> again = examiner.run(first_->rerun, false);
    examining_ += Clock::now() - begin;
    if (!again.has_value() || (goes_the_same_way(again->result, first_->result, first_->rerun) &&
                               again->result.ending == first_->result.ending)) {
      return;
    }
    summary_->unrepeatable =
        compare_runs({first_->steps, again->modules}, {again->steps, again->modules}, 1);
    summary_->notes.push_back("the first schedule was run again at the end, and diverged");
  }

  // Empty: no execution has ended.
  const Identity& modules() const { return modules_; }

  // A data race need not end an execution: where it is suppressed, the search begins again without
  // it, so that what comes after it is seen.
  explore::Suppression suppress(const explore::Occurrence& what) override {
    const wire::Result& result = what.outcome.execution.result;
    bool may_be_standard = result.failure == wire::Failure::livelock && result.cycle != 0;
    if (options_.suppressions.empty() && !may_be_standard) return explore::Suppression::none;
    auto known = [&](const report::Suppressed& one) { return one.key == result.failure_key; };
    if (std::ranges::any_of(summary_->suppressed, known)) return explore::Suppression::passed_over;
    auto begin = Clock::now();
    std::optional<Examined> again =
        examiner_.run(rerun_of(strategy_, what.plan, what.outcome), true);
    examining_ += Clock::now() - begin;
    // One that does not come again is looked at as others are.
    if (!again.has_value() || again->result.failure_key != result.failure_key)
      return explore::Suppression::none;
    // What the standard library does to avoid deadlocks is no mistake of its user. The state comes
    // back: what could follow is covered from where it was before.
    if (trace::is_retry_of_std_lock(*again->finding)) {
      std_lock_retries_ = true;
      tell_retries_of_std_lock();
      return explore::Suppression::passed_over;
    }
    const trace::Suppression* rule = suppression_of(options_.suppressions, *again->finding);
    if (rule == nullptr) return explore::Suppression::none;
    summary_->suppressed.push_back(
        {again->finding->kind, again->finding->location(), rule->place, result.failure_key});
    if (result.failure != wire::Failure::data_race) return explore::Suppression::passed_over;
    racing_.push_back(result.failure_key);
    return explore::Suppression::learnt;
  }

  bool failure(const explore::Occurrence& what) override {
    // Before the search began anew with more operations it may have been found already.
    auto known = [&](const trace::Finding& finding) {
      return finding.key == what.outcome.execution.result.failure_key;
    };
    if (std::ranges::any_of(summary_->findings, known)) return true;
    if (summary_->findings.size() >= kMaxFindings) {
      summary_->notes = {fmt::format("more than {} different failures: the others are not reported",
                                     kMaxFindings)};
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
    trace::Unsupported found = trace::describe_unsupported(what.evidence());
    summary_->unsupported = found.words;
    summary_->hint = found.hint;
  }

  // Other executions may have found places of their own by now; those of this one are what its
  // schedule leads to.
  void racing(const explore::Occurrence& what) override {
    std::optional<Examined> again =
        examiner_.run(rerun_of(strategy_, what.plan, what.outcome), false);
    if (!again.has_value()) return;
    trace::Symbols symbols(again->modules);
    for (const trace::RacingPlace& place : again->racing) {
      if (std::ranges::find(racing_, place.name) != racing_.end()) continue;
      racing_.push_back(place.name);
      trace::CallStack stack = symbols.places(place.pc);
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
    First first = first_.value_or(First{});
    out.put<uint8_t>(first_ ? 1 : 0);
    put_rerun(out, first.rerun);
    out.put(first.result);
    out.put_all(racing_);
    out.put<uint64_t>(racing_places_.size());
    for (const std::string& place : racing_places_) out.put_text(place);
    out.put<uint64_t>(history_.told.size());
    for (const Told& told : history_.told) {
      out.put(told.execution);
      out.put(told.key);
      out.put(told.racing);
      out.put_text(told.schedule_file);
      out.put_text(told.stage);
      put_rerun(out, told.rerun);
    }
    out.put<uint8_t>(std_lock_retries_ ? 1 : 0);
    out.put<uint64_t>(summary_->suppressed.size());
    for (const report::Suppressed& one : summary_->suppressed) {
      out.put(one.kind);
      out.put_text(one.location);
      out.put_text(one.by);
      out.put(one.key);
    }
  }

  // Runs again what was found, to tell it in full. False: there was an interrupt. Throws UserError
  // if the program is not what it was.
  bool load(explore::ByteReader& in) {
    modules_ = get_identity(in);
    bool has_first = in.get<uint8_t>() != 0;
    First first;
    first.rerun = get_rerun(in);
    in.get(&first.result);
    racing_ = in.get_all<uint64_t>();
    racing_places_.resize(in.get<uint64_t>());
    for (std::string& place : racing_places_) place = in.get_text();
    if (has_first) {
      std::optional<Examined> again = examiner_.run(first.rerun, false);
      if (!again.has_value()) return false;
      refuse_changed_program(modules_of(again->modules));
      if (!goes_the_same_way(again->result, first.result, first.rerun)) refuse_other_way(1);
      first.steps = again->steps;
      first_ = std::move(first);
    }
    auto count = in.get<uint64_t>();
    for (uint64_t i = 0; i < count; ++i) {
      Told told{in.get<uint64_t>(), in.get<uint64_t>(), in.get<uint64_t>(),
                in.get_text(),      in.get_text(),      get_rerun(in)};
      if (!tell_again(std::move(told))) return false;
    }
    std_lock_retries_ = in.get<uint8_t>() != 0;
    if (std_lock_retries_) tell_retries_of_std_lock();
    summary_->suppressed.resize(in.get<uint64_t>());
    for (report::Suppressed& one : summary_->suppressed) {
      in.get(&one.kind);
      one.location = in.get_text();
      one.by = in.get_text();
      in.get(&one.key);
    }
    return true;
  }

  double examining_seconds() const { return std::chrono::duration<double>(examining_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  struct First {
    Rerun rerun;
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
        fmt::format("the schedule of execution {} has diverged since the search {} was saved: "
                    "the test is not repeatable, or depends on something that has changed; "
                    "leave out --resume to begin anew",
                    execution, history_.saver.path()));
  }

  bool tell_again(Told told) {
    Options options = options_;
    options.racing.resize(std::min<size_t>(options.racing.size(), told.racing));
    Examiner examiner(subject_.launch, settings_of(options));
    std::optional<Examined> again = examiner.run(told.rerun, true);
    if (!again.has_value()) return false;
    if (again->result.failure_key != told.key) refuse_other_way(told.execution);
    trace::Finding& finding = *again->finding;
    if (finding.steps == 0) finding.decisions = nameless(told.rerun.schedule);
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
    Rerun rerun = rerun_of(strategy_, what.plan, what.outcome);
    std::optional<Examined> again = examiner_.run(rerun, true);
    if (!again.has_value()) {
      keep(seen_once(what, "interrupted before it was looked at closely"), what, rerun);
      return false;
    }
    bool same_way = goes_the_same_way(again->result, execution.result, rerun);
    if (!same_way || again->result.failure_key != execution.result.failure_key) {
      if (comes_again(rerun, execution.result)) {
        summary_->notes.push_back(fmt::format(
            "the failure in execution {} comes again on the same schedule, but not with a closer "
            "look, which ended so: {}",
            what.number, ending_words(*again)));
        keep(seen_once(what, "no closer look was possible"), what, rerun);
        return true;
      }
      trace::Evidence seen = what.evidence();
      summary_->unrepeatable =
          compare_runs({seen.steps, seen.modules}, {again->steps, again->modules}, what.number);
      summary_->notes.push_back(
          fmt::format("a failure ({}) in execution {} did not recur on the same schedule",
                      wire::failure_name(execution.result.failure), what.number));
      return false;
    }
    trace::Finding& finding = *again->finding;
    if (finding.steps == 0) finding.decisions = nameless(rerun.schedule);
    keep(std::move(finding), what, rerun);
    return true;
  }

  // Once, however often the search begins again.
  void tell_retries_of_std_lock() {
    std::string note =
        "std::lock, which std::scoped_lock uses, lets go and tries again for ever if its threads "
        "are preempted at the worst moment each time; that is not taken for a livelock";
    if (std::ranges::find(summary_->notes, note) == summary_->notes.end()) {
      summary_->notes.push_back(std::move(note));
    }
  }

  // Whether the failure comes again if nobody looks.
  bool comes_again(const Rerun& rerun, const wire::Result& result) {
    std::optional<Examined> again = examiner_.run(rerun, false);
    return again.has_value() && again->result.failure_key == result.failure_key &&
           goes_the_same_way(again->result, result, rerun);
  }

  // A cycle may take a round more until it is shown.
  static bool goes_the_same_way(const wire::Result& a, const wire::Result& b, const Rerun& rerun) {
    return a.sequence == b.sequence || rerun.cycle != 0;
  }

  static std::string ending_words(const Examined& examined) {
    if (examined.result.ending != wire::Ending::failed) return "without a failure";
    const trace::Finding& finding = *examined.finding;
    return fmt::format("{}{}{}", wire::failure_name(finding.kind),
                       finding.location().empty() ? "" : " at " + finding.location(),
                       finding.message.empty() ? "" : ", " + finding.message);
  }

  // Of an execution that took its steps with it: where it was sent is known nevertheless.
  static std::vector<trace::NamedDecision> nameless(const trace::Schedule& schedule) {
    std::vector<trace::NamedDecision> decisions;
    for (const wire::Decision& decision : schedule) {
      decisions.push_back({decision.step, decision.choice, "?", ""});
    }
    return decisions;
  }

  // What is known of the failure without a closer look, of which there was none since: `why`.
  trace::Finding seen_once(const explore::Occurrence& what, const char* why) const {
    trace::Finding finding = trace::make_finding(what.evidence());
    if (!what.outcome.message.empty()) finding.message = what.outcome.message;
    if (finding.message.empty()) finding.message = why;
    return finding;
  }

  void keep(trace::Finding finding, const explore::Occurrence& what, const Rerun& rerun) {
    finding.execution = what.number;
    std::vector<explore::Stage> stages = strategy_.stages();
    if (!stages.empty()) finding.stage = stages.back().name;
    save(&finding);
    history_.told.push_back({what.number, what.outcome.execution.result.failure_key,
                             options_.racing.size(), finding.schedule_file, finding.stage, rerun});
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
  std::optional<First> first_;  // none: no execution has ended
  Identity modules_;
  bool std_lock_retries_ = false;
  History& history_;
  Clock::duration examining_{};
};

}  // namespace heddle::session
