#include "report/moments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/fold_text.h"
#include "report/library_calls.h"
#include "report/selection.h"
#include "report/step_table.h"
#include "trace/words.h"
#include "wire/dependence.h"

namespace heddle::report {
namespace {

using trace::DetailedStep;
using trace::Finding;
using trace::Timeline;
using trace::TimelineStep;
using wire::Op;

constexpr size_t kOfCycle = 40;  // steps of a cycle

// A part of an execution, as rows.
class Section {
 public:
  Section(const Finding& finding, const Timeline& timeline)
      : finding_(finding), timeline_(timeline), calls_(timeline) {}

  void add(const std::vector<Stretch>& stretches) {
    for (const Stretch& stretch : stretches) {
      if (stretch.kind == Stretch::Kind::fold) {
        rows_.push_back({StepRow::Kind::fold, "...", "",
                         printable(fold_words(timeline_, stretch.begin, stretch.end)), nullptr});
        hidden_ += stretch.end - stretch.begin;
        before_is_shown_ = false;
        continue;
      }
      add_switch(stretch.begin);
      if (stretch.kind == Stretch::Kind::step) {
        add_step(stretch.begin);
      } else {
        add_call(stretch);
        hidden_ += stretch.end - stretch.begin;
      }
      before_is_shown_ = true;
    }
  }

  // How the execution ended.
  void add_end() {
    if (finding_.kind == wire::Failure::deadlock) {
      add_remark("no thread can go on", true);
    } else if (!finding_.thread.empty()) {
      add_remark(fmt::format("{} fails: {}", trace::thread_name(finding_.thread),
                             wire::failure_name(finding_.kind)),
                 true);
    }
  }

  void set_only_preemptions() { only_preemptions_ = true; }
  size_t hidden() const { return hidden_; }
  const std::vector<StepRow>& rows() const { return rows_; }

 private:
  void add_step(size_t index) {
    DetailedStep step = timeline_.step(index);
    std::string words = trace::step_words(step);
    // With --spurious.
    if (step.outcome != 0 && wire::has(step.op, wire::kSpurious)) {
      words += " (spuriously)";
    } else if (step.op != Op::choose && step.outcome != 0) {
      words += fmt::format(" (outcome {})", step.outcome);
    }
    const trace::Place* place = timeline_.user_place(index);
    // Where the library starts and ends threads is no news.
    bool of_itself = step.op == Op::begin || step.op == Op::end;
    if (of_itself && place != nullptr && place->system) place = nullptr;
    rows_.push_back(
        {StepRow::Kind::step, std::to_string(step.step), step.thread, printable(words), place});
  }

  void add_call(const Stretch& call) {
    std::string name = calls_.name(call.begin, call.end);
    std::string words = counted(call.end - call.begin, "step");
    words += name.empty() ? " in a library" : " in " + name;
    const trace::Place* place =
        calls_.has_line(call.begin) ? timeline_.user_place(call.begin) : nullptr;
    rows_.push_back({StepRow::Kind::step, std::to_string(timeline_.first + call.begin),
                     timeline_.threads[timeline_.steps[call.begin].thread], printable(words),
                     place});
  }

  void add_remark(const std::string& words, bool is_preemption) {
    rows_.push_back({is_preemption ? StepRow::Kind::preemption : StepRow::Kind::remark, "--", "",
                     printable(words), nullptr});
  }

  // What the thread announced before step `i` and had not done by then: its next step, or what it
  // was at in the end.
  std::optional<std::string> pending_words(uint32_t thread, size_t i, Op* op) const {
    auto next =
        std::find_if(timeline_.steps.begin() + static_cast<ptrdiff_t>(i), timeline_.steps.end(),
                     [&](const TimelineStep& s) { return s.thread == thread; });
    if (next != timeline_.steps.end()) {
      *op = next->op;
      return timeline_.names[next->object];
    }
    for (const trace::ThreadAtEnd& at_end : finding_.threads) {
      bool is_it = at_end.thread == timeline_.threads[thread];
      if (!is_it || at_end.state == wire::ThreadState::unused) continue;
      *op = at_end.state == wire::ThreadState::ended ? Op::end : at_end.pending;
      return at_end.object;
    }
    return {};
  }

  // Why this step is another thread's than the one before; what led to one behind a fold is in the
  // fold.
  void add_switch(size_t i) {
    if (!timeline_.is_switch(i) || !before_is_shown_) return;
    bool is_preemption = timeline_.steps[i].is(TimelineStep::kPreemption);
    if (!is_preemption && only_preemptions_) return;
    const DetailedStep step = timeline_.step(i);
    const DetailedStep before = timeline_.step(i - 1);
    std::string from = trace::thread_name(before.thread);
    std::string to = trace::thread_name(step.thread);
    Op op{};
    std::optional<std::string> object = pending_words(timeline_.steps[i - 1].thread, i, &op);
    if (is_preemption) {
      std::string about = object ? ", before: " + trace::operation_words(op, *object) : "";
      add_remark(fmt::format("{} preempts {}{}", to, from, about), true);
      return;
    }
    add_remark(
        reason(before, object, op) + (step.choice != 0 ? fmt::format("; {} is chosen", to) : ""),
        false);
  }

  // Of a switch from the thread that has made this step, and has the operation before it.
  static std::string reason(const DetailedStep& before, const std::optional<std::string>& object,
                            Op op) {
    std::string from = trace::thread_name(before.thread);
    if (before.op == Op::end || (object && op == Op::end)) return from + " has ended";
    if (object && op == Op::yield) return from + " yields";
    if (object && op == Op::sleep) return from + " sleeps";
    if (before.op == Op::cond_wait) {
      return from + " " + trace::waiting_words(Op::cond_sleep, before.object);
    }
    if (before.op == Op::futex_wait) {
      return from + " " + trace::waiting_words(Op::futex_sleep, before.object);
    }
    if (before.yields) return from + " gives way";
    if (object && !wire::has(op, wire::kWaits)) return from + " is held back";
    if (object) return from + " " + trace::waiting_words(op, *object);
    return from + " cannot go on";
  }

  const Finding& finding_;
  const Timeline& timeline_;
  const LibraryCalls calls_;
  std::vector<StepRow> rows_;
  size_t hidden_ = 0;
  bool before_is_shown_ = false;
  bool only_preemptions_ = false;
};

constexpr const char* kHowToSeeAll = " (--steps all shows the rest)";

std::string head_of(const Finding& finding, size_t shown) {
  size_t known = finding.timeline.size();
  if (shown < known) {
    return fmt::format("{} of {}{}:", grouped(shown), counted(finding.steps, "step"), kHowToSeeAll);
  }
  if (known != finding.steps) {
    return fmt::format("The last {} of {}:", grouped(shown), counted(finding.steps, "step"));
  }
  return shown == 1 ? "The only step:" : fmt::format("All {}:", counted(shown, "step"));
}

std::string whole(const Finding& finding, const View& view) {
  const Timeline& timeline = finding.timeline;
  Section section(finding, timeline);
  section.add(select_steps(finding, timeline, 0, timeline.size(), view.steps));
  section.add_end();
  return view.paint().bold(head_of(finding, timeline.size() - section.hidden())) + "\n" +
         step_table(section.rows(), view);
}

// The steps before the cycle, if any of them matters more than others.
std::string way_to_cycle(const Finding& finding, const View& view) {
  const Timeline& timeline = finding.timeline;
  size_t end = std::min<size_t>(finding.cycle->begin, timeline.size());
  auto is_preemption = [](const TimelineStep& step) { return step.is(TimelineStep::kPreemption); };
  auto behind = timeline.steps.begin() + static_cast<ptrdiff_t>(end);
  bool matters = std::any_of(timeline.steps.begin(), behind, is_preemption);
  if (timeline.first != 0 || !matters) return "";
  Section section(finding, timeline);
  section.add(select_steps(finding, timeline, 0, end, view.steps));
  std::string head = fmt::format("Before the cycle, {}:", counted(end, "step"));
  if (section.hidden() != 0) {
    head = fmt::format("Before the cycle, {} of {}{}:", grouped(end - section.hidden()),
                       counted(end, "step"), kHowToSeeAll);
  }
  return view.paint().bold(head) + "\n" + step_table(section.rows(), view) + "\n";
}

std::string cycle_head(const Finding& finding, size_t shown) {
  const trace::Cycle& cycle = *finding.cycle;
  std::string head =
      fmt::format("The cycle: {}, repeated {} since step {}", counted(cycle.length, "step"),
                  counted(cycle.repeats, "time"), grouped(cycle.begin));
  if (finding.proved_cycle != 0) {
    head = fmt::format("The cycle: {} from step {} on, which lead back to the same state",
                       counted(cycle.length, "step"), grouped(cycle.begin));
  }
  if (shown < cycle.length) head += fmt::format("; {} of them", grouped(shown));
  return head + ":";
}

std::string of_cycle(const Finding& finding, const View& view) {
  const trace::Cycle& cycle = *finding.cycle;
  if (cycle.steps.empty()) return "";
  Timeline timeline(cycle.steps);
  size_t limit = view.steps.value_or(kOfCycle);
  // Of a cycle it says enough whose steps they are.
  Section section(finding, timeline);
  section.set_only_preemptions();
  section.add(select_steps(finding, timeline, 0, timeline.size(), limit));
  return way_to_cycle(finding, view) +
         view.paint().bold(cycle_head(finding, timeline.size() - section.hidden())) + "\n" +
         step_table(section.rows(), view);
}

}  // namespace

std::string moments_text(const Finding& finding, const View& view) {
  if (finding.cycle) return of_cycle(finding, view);
  return finding.timeline.empty() ? "" : whole(finding, view);
}

}  // namespace heddle::report
