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
#include "trace/make_finding.h"
#include "trace/symbols.h"

namespace heddle::session {

inline constexpr size_t kMaxFindings = 1000;  // different failures told in one run

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

inline void put_trial(explore::ByteWriter& out, const Trial& trial) {
  out.put_all(trial.schedule);
  out.put(trial.sampler);
  out.put(trial.seed);
  out.put(trial.limit);
}

inline Trial get_trial(explore::ByteReader& in) {
  Trial trial;
  trial.schedule = in.get_all<wire::Decision>();
  in.get(&trial.sampler);
  in.get(&trial.seed);
  in.get(&trial.limit);
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

  // Empty: no execution has ended.
  const Identity& modules() const { return modules_; }

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

}  // namespace heddle::session
