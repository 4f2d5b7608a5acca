#include "session/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/error.h"
#include "session/divergence.h"
#include "session/examiner.h"
#include "session/interrupt.h"
#include "session/output.h"
#include "session/route.h"
#include "session/system_limits.h"
#include "trace/focus.h"
#include "trace/quoted.h"
#include "trace/words.h"

namespace heddle::session {

namespace {

class Replay {
 public:
  Replay(const Subject& subject, const Options& options, const trace::ScheduleFile& file,
         const std::string& path)
      : launch_(subject.launch), options_(options), file_(file), path_(path) {
    options_.route = find_route(subject, options);
    examiner_ = std::make_unique<Examiner>(launch_, settings_of(options_));
    std::string build_id = build_id_of(subject.path);
    replayed_.changed = build_id != file.build_id;
    if (replayed_.changed) {
      summary().notes.push_back(
          fmt::format("{} has changed since this schedule was made", subject.path));
    }
    summary().program = subject.command;
    summary().accesses = covered_accesses(options);
    summary().spurious = options.spurious;
    summary().last_retries = options.last_retries;
    summary().fair = options.fair != 0;
    rerun_.schedule = file.schedule();
    bool endless = file.failure == wire::failure_name(wire::Failure::livelock) ||
                   file.failure == wire::failure_name(wire::Failure::good_samaritan);
    if (endless && file.steps > 0) rerun_.limit = file.steps;
    rerun_.cycle = file.cycle;
    rerun_.flags |= wire::kMustBeFeasible;
    if (rerun_.schedule.size() > options.max_steps) {
      throw UserError(fmt::format("{} has {} decisions; give it more steps: --max-steps {}", path,
                                  rerun_.schedule.size(), file.steps + 1));
    }
  }

  Replayed run() {
    auto begin = std::chrono::steady_clock::now();
    std::optional<Examined> first = look();
    if (first.has_value()) {
      count(first->result);
      judge(*first);
      if (options_.gdb) {
        replayed_.rerun = examiner_->latest();
        replayed_.options = options_;
      }
      for (uint32_t i = 1; i < options_.times && going_on(); ++i) repeat(*first);
    }
    if (options_.gdb) replayed_.examined = std::move(first);
    summary().interrupted = *Interrupt::flag() != 0;
    summary().seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!summary().findings.empty()) summary().verdict = report::Verdict::failed;
    return std::move(replayed_);
  }

 private:
  // A script's places become known as it comes to them.
  std::optional<Examined> look() {
    for (;;) {
      std::optional<Examined> examined = examiner_->run(rerun_, true);
      if (!examined.has_value() || !examined->wanted) return examined;
      options_.script_places.push_back(trace::find_script_place(*examined));
      examiner_ = std::make_unique<Examiner>(launch_, settings_of(options_));
    }
  }

  report::Summary& summary() { return replayed_.summary; }
  bool going_on() {
    return !summary().unrepeatable.has_value() && summary().unsupported.empty() &&
           *Interrupt::flag() == 0;
  }

  void count(const wire::Result& result) {
    ++summary().executions;
    if (result.ending == wire::Ending::failed) ++summary().failing_executions;
    summary().steps += result.step_count;
    summary().max_steps = std::max(summary().max_steps, result.step_count);
    summary().threads = std::max(summary().threads, result.thread_count);
    summary().distinct = 1;
  }

  // The first decision that is not taken as the file has it; nullopt: all are.
  std::optional<size_t> first_wrong_decision(const trace::Finding& finding) const {
    if (finding.steps == 0) return std::nullopt;  // the program wrote over them
    for (size_t i = 0; i < file_.decisions.size(); ++i) {
      const trace::NamedDecision& wanted = file_.decisions[i];
      if (i >= finding.decisions.size()) return i;
      const trace::NamedDecision& taken = finding.decisions[i];
      if (taken.step != wanted.step || taken.choice != wanted.choice ||
          taken.thread != wanted.thread) {
        return i;
      }
    }
    return std::nullopt;
  }

  void judge(Examined& examined) {
    const wire::Result& result = examined.result;
    if (result.ending == wire::Ending::unsupported) {
      trace::Unsupported found = trace::describe_unsupported(examined);
      summary().unsupported = found.words;
      summary().hint = found.hint;
      return;
    }
    trace::Finding& finding = *examined.finding;
    std::optional<size_t> wrong = first_wrong_decision(finding);
    bool same_way = result.sequence == file_.sequence || file_.cycle != 0;
    bool same = !wrong.has_value() && same_way && result.ending != wire::Ending::diverged;
    replayed_.fits = !wrong.has_value() && result.ending != wire::Ending::diverged;
    bool failed = result.ending == wire::Ending::failed;
    replayed_.reproduced = same && failed && wire::failure_name(result.failure) == file_.failure;
    if (!replayed_.reproduced && !replayed_.changed && (failed || !same)) {
      led_elsewhere(examined, wrong);
    }
    if (!same && replayed_.changed) {
      summary().notes.push_back("the schedule does not fit the changed program: it diverged");
    }
    if (failed) {
      finding.execution = 1;
      finding.schedule_file = path_;
      summary().findings.push_back(finding);
    }
  }

  // The file holds no steps but those of its decisions: the first of them that is not as it was is
  // the news.
  void led_elsewhere(const Examined& examined, std::optional<size_t> wrong) {
    report::Unrepeatable what;
    what.execution = 1;
    if (wrong.has_value()) {
      const trace::NamedDecision& wanted = file_.decisions[*wrong];
      what.step = wanted.step;
      what.step_known = false;
      what.expected = fmt::format("at step {}, option {}: {}", wanted.step, wanted.choice,
                                  trace::thread_name(wanted.thread));
      const auto& decisions = examined.finding->decisions;
      what.found =
          *wrong < decisions.size() && decisions[*wrong].step == wanted.step
              ? fmt::format("at step {}, option {}: {}", wanted.step, decisions[*wrong].choice,
                            trace::thread_name(decisions[*wrong].thread))
              : fmt::format("an execution of {} steps without that option",
                            examined.result.step_count);
    } else {
      what.step = std::max(file_.steps, examined.result.step_count);
      what.step_known = false;
      what.expected = fmt::format("{} after {} steps", file_.failure, file_.steps);
      what.found = fmt::format("{} after {} steps",
                               examined.result.ending == wire::Ending::failed
                                   ? wire::failure_name(examined.result.failure)
                                   : "no failure",
                               examined.result.step_count);
    }
    summary().unrepeatable = what;
  }

  void repeat(const Examined& first) {
    std::optional<Examined> again = examiner_->run(rerun_, false);
    if (!again.has_value()) return;
    count(again->result);
    if (again->result.sequence == first.result.sequence &&
        again->result.ending == first.result.ending &&
        again->result.failure_key == first.result.failure_key) {
      return;
    }
    replayed_.reproduced = false;
    summary().unrepeatable = compare_runs({first.steps, first.modules},
                                          {again->steps, again->modules}, summary().executions);
  }

  const pool::Launch& launch_;
  Options options_;
  const trace::ScheduleFile& file_;
  const std::string& path_;
  Rerun rerun_;
  std::unique_ptr<Examiner> examiner_;
  Replayed replayed_;
};

}  // namespace

Options replay_options(const trace::ScheduleFile& file, const std::string& path) {
  Options options;
  // A file that does not say is from before there was anything to say.
  options.fair = 0;
  options.yield_after = kMaxSteps;
  for (const auto& [name, value] : file.options) {
    if (name == kNameOption) continue;
    try {
      // --heap was called --memory once.
      const std::string& known = name == "memory" ? "heap" : name;
      // Files may come from anybody: what says where to write, or what to start, is not theirs.
      if (!options::is_recorded(known)) {
        throw UserError(fmt::format(
            "a schedule cannot set the option {}; leave the line out, and type --{} if you want it",
            trace::quote_if_needed(name), known));
      }
      set_option(&options, known, value);
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}: {}", path, error.what()));
    }
  }
  return options;
}

Replayed replay(const Subject& subject, const Options& options, const trace::ScheduleFile& file,
                const std::string& path) {
  require_limits(1);
  return Replay(subject, options, file, path).run();
}

std::string replay_text(const Replayed& replayed, const Options& options) {
  const report::Summary& summary = replayed.summary;
  std::string text;
  if (!summary.findings.empty() || summary.unrepeatable || summary.interrupted ||
      !summary.unsupported.empty()) {
    text = report::text(summary, report_view(options));
  } else {
    for (const std::string& note : summary.notes) text += fmt::format("note: {}\n", note);
    text += fmt::format("no failure: the schedule ended without one, after {} steps\n",
                        summary.max_steps);
  }
  if (replayed.reproduced && options.times > 1) {
    text += fmt::format("reproduced {} times, the same to the step\n", summary.executions);
  }
  return text;
}

}  // namespace heddle::session
