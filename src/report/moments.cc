#include "report/moments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "report/source_line.h"
#include "trace/words.h"
#include "wire/dependence.h"

namespace heddle::report {
namespace {

using trace::DetailedStep;
using trace::Finding;
using wire::Op;

constexpr size_t kShown = 20;      // steps
constexpr size_t kOfCycle = 40;    // steps of a cycle
constexpr size_t kMaxColumns = 4;  // threads side by side
constexpr size_t kMaxWidth = 120;  // of a table; wider ones become lines
constexpr size_t kStepWidth = 6;   // of their numbers, at least

struct Row {
  std::string step;
  std::string thread;  // path
  std::string words;
  std::string place;
  std::string source;      // the line itself; empty if it cannot be read
  bool is_remark = false;  // words alone, across the columns
  bool is_preemption = false;
};

class Moments {
 public:
  Moments(const Finding& finding, const Paint& paint)
      : finding_(finding),
        paint_(paint),
        steps_(finding.cycle ? finding.cycle->steps : finding.timeline.last(256)) {}

  std::string text() {
    if (steps_.empty()) return "";
    size_t first = finding_.cycle ? 0 : steps_.size() - std::min(steps_.size(), kShown);
    size_t end = finding_.cycle ? std::min(steps_.size(), kOfCycle) : steps_.size();
    for (size_t i = first; i < end; ++i) {
      // Of a cycle it says enough whose steps they are.
      if (i > 0 && steps_[i - 1].thread != steps_[i].thread && !finding_.cycle) add_switch(i);
      add_step(steps_[i]);
    }
    if (!finding_.cycle) add_end();
    std::string head = finding_.cycle ? cycle_head(end) : last_head(end - first);
    for (const Row& row : rows_) {
      place_width_ = std::max(place_width_, row.place.size());
      step_width_ = std::max(step_width_, row.step.size());
    }
    collect_threads();
    return paint_.bold(head) + "\n" + (table_fits() ? table() : lines());
  }

 private:
  std::string last_head(size_t shown) const {
    if (shown != finding_.steps) {
      return fmt::format("The last {} of {}:", grouped(shown), counted(finding_.steps, "step"));
    }
    return shown == 1 ? "The only step:" : fmt::format("All {}:", counted(shown, "step"));
  }

  std::string cycle_head(size_t shown) const {
    const trace::Cycle& cycle = *finding_.cycle;
    std::string head =
        fmt::format("The cycle: {}, repeated {} since step {}", counted(cycle.length, "step"),
                    counted(cycle.repeats, "time"), grouped(cycle.begin));
    if (finding_.proved_cycle != 0) {
      head = fmt::format("The cycle: {} from step {} on, which lead back to the same state",
                         counted(cycle.length, "step"), grouped(cycle.begin));
    }
    if (shown < cycle.length) head += fmt::format("; its first {}", counted(shown, "step"));
    return head + ":";
  }

  void add_step(const DetailedStep& step) {
    std::string words = trace::step_words(step);
    // With --spurious.
    if (step.outcome != 0 && wire::has(step.op, wire::kSpurious)) {
      words += " (spuriously)";
    } else if (step.op != Op::choose && step.outcome != 0) {
      words += fmt::format(" (outcome {})", step.outcome);
    }
    const trace::Place* place = trace::user_place(step.stack);
    // Where the library starts and ends threads is no news.
    bool of_itself = step.op == Op::begin || step.op == Op::end;
    if (of_itself && place != nullptr && place->system) place = nullptr;
    rows_.push_back({std::to_string(step.step), step.thread, printable(words),
                     place != nullptr ? printable(trace::short_place(*place)) : "",
                     place != nullptr ? source_line(*place) : "", false, false});
  }

  void add_remark(std::string words, bool is_preemption) {
    rows_.push_back({"--", "", printable(words), "", "", true, is_preemption});
  }

  // What the thread announced before step `i` and had not done by then: its next step, or what it
  // was at in the end.
  std::optional<std::string> pending_words(const std::string& thread, size_t i, Op* op) const {
    auto next = std::find_if(steps_.begin() + static_cast<ptrdiff_t>(i), steps_.end(),
                             [&](const DetailedStep& s) { return s.thread == thread; });
    if (next != steps_.end()) {
      *op = next->op;
      return next->object;
    }
    for (const trace::ThreadAtEnd& at_end : finding_.threads) {
      if (at_end.thread != thread || at_end.state == wire::ThreadState::unused) continue;
      *op = at_end.state == wire::ThreadState::ended ? Op::end : at_end.pending;
      return at_end.object;
    }
    return {};
  }

  void add_switch(size_t i) {
    const DetailedStep& step = steps_[i];
    const DetailedStep& before = steps_[i - 1];
    std::string from = trace::thread_name(before.thread);
    std::string to = trace::thread_name(step.thread);
    Op op{};
    std::optional<std::string> object = pending_words(before.thread, i, &op);
    if (step.preemption) {
      std::string about = object ? ", before: " + trace::operation_words(op, *object) : "";
      add_remark(fmt::format("{} preempts {}{}", to, from, about), true);
      return;
    }
    std::string chosen = step.choice != 0 ? fmt::format("; {} is chosen", to) : "";
    std::string reason = from + " cannot go on";
    if (before.op == Op::end || (object && op == Op::end)) {
      reason = from + " has ended";
    } else if (object && op == Op::yield) {
      reason = from + " yields";
    } else if (object && op == Op::sleep) {
      reason = from + " sleeps";
    } else if (before.op == Op::cond_wait) {
      reason = from + " " + trace::waiting_words(Op::cond_sleep, before.object);
    } else if (before.op == Op::futex_wait) {
      reason = from + " " + trace::waiting_words(Op::futex_sleep, before.object);
    } else if (before.yields) {
      reason = from + " gives way";
    } else if (object && !wire::has(op, wire::kWaits)) {
      reason = from + " is held back";
    } else if (object) {
      reason = from + " " + trace::waiting_words(op, *object);
    }
    add_remark(reason + chosen, false);
  }

  void add_end() {
    if (finding_.kind == wire::Failure::deadlock) {
      add_remark("no thread can go on", true);
    } else if (!finding_.thread.empty()) {
      add_remark(fmt::format("{} fails: {}", trace::thread_name(finding_.thread),
                             wire::failure_name(finding_.kind)),
                 true);
    }
  }

  void collect_threads() {
    for (const Row& row : rows_) {
      if (row.is_remark) continue;
      if (std::find(threads_.begin(), threads_.end(), row.thread) == threads_.end()) {
        threads_.push_back(row.thread);
      }
    }
    std::sort(threads_.begin(), threads_.end(), trace::path_before);
  }

  bool table_fits() {
    if (threads_.size() > kMaxColumns) return false;
    size_t total = step_width_;
    for (const std::string& thread : threads_) {
      size_t width = trace::thread_name(thread).size();
      for (const Row& row : rows_) {
        if (!row.is_remark && row.thread == thread) width = std::max(width, row.words.size());
      }
      widths_.push_back(width);
      total += width + 2;
    }
    return total + place_width_ + 2 <= kMaxWidth;
  }

  // Ends a line that is `used` wide so far: the place, and as much of the source as there is room
  // for.
  std::string where(const Row& row, size_t used) const {
    size_t left = kMaxWidth - std::min(kMaxWidth, used + place_width_ + 2);
    constexpr size_t kUseful = 12;
    if (row.source.empty() || left < kUseful) return paint_.dim(row.place);
    std::string source = row.source;
    if (source.size() > left) source = source.substr(0, left - 3) + "...";
    return paint_.dim(padded(row.place, place_width_) + "  ") + source;
  }

  std::string finished(const Row& row, const std::string& line) const {
    if (row.place.empty()) return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    return line + where(row, line.size()) + "\n";
  }

  std::string remark(const Row& row) const {
    std::string text = fmt::format("{:>{}}  {}", row.step, step_width_, row.words);
    return (row.is_preemption ? paint_.yellow(text) : paint_.dim(text)) + "\n";
  }

  std::string table() const {
    std::string head = fmt::format("{:>{}}  ", "step", step_width_);
    for (size_t i = 0; i < threads_.size(); ++i) {
      head += padded(trace::thread_name(threads_[i]), widths_[i]) + "  ";
    }
    std::string out = paint_.dim(head + "where") + "\n";
    for (const Row& row : rows_) {
      if (row.is_remark) {
        out += remark(row);
        continue;
      }
      std::string line = fmt::format("{:>{}}  ", row.step, step_width_);
      for (size_t i = 0; i < threads_.size(); ++i) {
        line += padded(threads_[i] == row.thread ? row.words : "", widths_[i]) + "  ";
      }
      out += finished(row, line);
    }
    return out;
  }

  std::string lines() const {
    size_t thread_width = 0;
    size_t words_width = 0;
    for (const Row& row : rows_) {
      if (row.is_remark) continue;
      thread_width = std::max(thread_width, trace::thread_name(row.thread).size());
      words_width = std::max(words_width, std::min<size_t>(row.words.size(), 60));
    }
    std::string out;
    for (const Row& row : rows_) {
      if (row.is_remark) {
        out += remark(row);
        continue;
      }
      std::string line = fmt::format("{:>{}}  {}  {}  ", row.step, step_width_,
                                     padded(trace::thread_name(row.thread), thread_width),
                                     padded(row.words, words_width));
      out += finished(row, line);
    }
    return out;
  }

  const Finding& finding_;
  const Paint& paint_;
  const std::vector<DetailedStep> steps_;
  std::vector<Row> rows_;
  std::vector<std::string> threads_;
  std::vector<size_t> widths_;
  size_t place_width_ = 0;
  size_t step_width_ = kStepWidth;
};

}  // namespace

std::string last_moments(const Finding& finding, const Paint& paint) {
  return Moments(finding, paint).text();
}

}  // namespace heddle::report
