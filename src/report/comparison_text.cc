// The table of `heddle compare`: a row for each strategy.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/comparison.h"
#include "report/failure_text.h"
#include "report/style.h"

namespace heddle::report {
namespace {

constexpr size_t kNotes = 5;  // told; the JSON has all

// In six characters: "12.4", "12,345", "123k", "1.2M".
std::string compact(double number) {
  constexpr double kLargest = 100'000;
  if (number < 1000 && number != std::floor(number)) return fmt::format("{:.1f}", number);
  if (std::round(number) < kLargest) return grouped(static_cast<uint64_t>(std::round(number)));
  double scaled = number / 1000;
  size_t unit = 0;
  for (; std::round(scaled) >= 1000 && unit < 4; ++unit) scaled /= 1000;
  return fmt::format("{:.{}f}{}", scaled, scaled < 9.95 ? 1 : 0, "kMGTP"[unit]);
}

std::string compact_time(double seconds) {
  if (seconds < 100) return duration(seconds);
  if (seconds < 9'999) return grouped(static_cast<uint64_t>(std::round(seconds))) + " s";
  return compact(std::round(seconds / 3600)) + " h";
}

std::string share(size_t part, size_t whole) {
  if (whole == 0) return "-";
  double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (percent > 0 && percent < 1) return "<1%";
  if (percent > 99 && percent < 100) return ">99%";
  return fmt::format("{:.0f}%", percent);
}

// In the place of four columns, of a strategy that has found nothing.
std::string without_failure(const ComparedStrategy& strategy, const Figures& figures) {
  if (figures.complete == 0) return "none within the budget";
  if (figures.complete < strategy.runs.size()) {
    return fmt::format("{} of {} complete", figures.complete, counted(strategy.runs.size(), "run"));
  }
  if (!strategy.preemptions) return "complete";
  return fmt::format("complete, {}", counted(*strategy.preemptions, "preemption"));
}

// Its widths: 10, 9, 7, four times 7, 8, 9, 9: 80 together.
std::string row(const ComparedStrategy& strategy) {
  Figures figures = figures_of(strategy);
  std::string numbers = fmt::format(" {:<27}", without_failure(strategy, figures));
  std::string time = "-";
  if (figures.executions) {
    const Spread& spread = *figures.executions;
    numbers = fmt::format("{:>7}{:>7}{:>7}{:>7}", compact(spread.min), compact(spread.mean),
                          compact(spread.max), spread.deviation ? compact(*spread.deviation) : "-");
    time = compact_time(figures.seconds->mean);
  }
  return fmt::format(
      "{:<10}{:>9}{:>7}{}{:>8}{:>9}{:>9}\n", strategy.name, counted(strategy.runs.size(), "run"),
      share(figures.failed, strategy.runs.size()), numbers, time, compact(figures.distinct),
      compact(std::round(figures.distinct_per_second)) + "/s");
}

std::string table(const Comparison& comparison, const Paint& paint) {
  std::string out =
      fmt::format("{:>54}{:>8}{:>18}\n", "executions to the failure", "time", "distinct");
  std::string heads =
      fmt::format("{:<10}{:>9}{:>7}{:>7}{:>7}{:>7}{:>7}{:>8}{:>9}{:>9}", "strategy", "runs",
                  "failed", "min", "mean", "max", "dev", "to it", "a run", "rate");
  out += paint.bold(heads) + "\n";
  for (const ComparedStrategy& strategy : comparison.strategies) {
    if (!strategy.runs.empty()) out += row(strategy);
  }
  return out + "\n";
}

std::string failures(const Comparison& comparison) {
  std::string out;
  for (size_t i = 0; i < comparison.failures.size(); ++i) {
    out += fmt::format("{}\n    found by {}\n", failure_line(comparison.failures[i]),
                       fmt::join(finders_of(comparison, i), ", "));
  }
  return out.empty() ? out : out + "\n";
}

std::string best_words(const Comparison& comparison, const Best& best) {
  const ComparedStrategy& strategy = comparison.strategies[best.strategy];
  Figures figures = figures_of(strategy);
  size_t runs = strategy.runs.size();
  switch (best.reason) {
    case Best::Reason::finds:
      if (figures.failed < runs) {
        return fmt::format("a failure in {} of {}, one for each {} executions", figures.failed,
                           counted(runs, "run"), compact(*figures.executions_per_failure));
      }
      return fmt::format("a failure after {} execution{}{}", compact(figures.executions->mean),
                         figures.executions->mean == 1 ? "" : "s", runs == 1 ? "" : " on average");
    case Best::Reason::covers:
      return "complete: " + strategy.runs[best.run].covered;
    case Best::Reason::goes_on:
      break;
  }
  return "the most distinct executions in a second; to look longer:";
}

std::string advice(const Comparison& comparison, const Paint& paint) {
  std::optional<Best> best = best_of(comparison);
  if (!best) return "";
  return fmt::format("best: {}, {}\n    {}\n\n",
                     paint.bold(comparison.strategies[best->strategy].name),
                     best_words(comparison, *best), printable(command_of(comparison, *best)));
}

std::string notes(const Comparison& comparison) {
  std::vector<std::string> all;
  for (const LeftOut& one : comparison.left_out) {
    all.push_back(fmt::format("{} was left out: {}", one.strategy, one.why));
  }
  size_t always = all.size();
  for (const ComparedStrategy& strategy : comparison.strategies) {
    for (const ComparedRun& run : strategy.runs) {
      for (const std::string& note : run.notes) {
        if (std::ranges::find(all, note) == all.end()) all.push_back(note);
      }
    }
  }
  std::string out;
  size_t shown = std::min(all.size(), always + kNotes);
  for (size_t i = 0; i < shown; ++i) out += fmt::format("note: {}\n", printable(all[i]));
  if (shown < all.size()) out += fmt::format("note: {} more (--json)\n", all.size() - shown);
  return out;
}

// The verdict, and what it rests on.
std::string last_line(const Comparison& comparison, const Paint& paint) {
  size_t runs = runs_of(comparison);
  if (runs == 0) return fmt::format("{}: no run has ended\n", paint.yellow("interrupted"));
  uint64_t executions = 0;
  double seconds = 0;
  for (const ComparedStrategy& strategy : comparison.strategies) {
    for (const ComparedRun& run : strategy.runs) {
      executions += run.executions;
      seconds += run.seconds;
    }
  }
  std::string extent = fmt::format("{}, {}", counted(executions, "execution"), duration(seconds));
  if (comparison.interrupted) {
    extent += fmt::format("; interrupted, {} of {} were run", grouped(runs),
                          counted(comparison.planned, "run"));
  }
  size_t failed = failed_runs_of(comparison);
  if (failed == 0) {
    return fmt::format("no failure in {}; {}\n", counted(runs, "run"), extent);
  }
  size_t different = comparison.failures.size();
  std::string what = different <= 1 ? "a failure" : fmt::format("{} different failures", different);
  return fmt::format("{}: {} in {} of {}; {}\n", paint.red("failed"), what, grouped(failed),
                     counted(runs, "run"), extent);
}

}  // namespace

std::string comparison_text(const Comparison& comparison, bool color) {
  Paint paint(color);
  std::string out;
  if (runs_of(comparison) != 0) {
    out = table(comparison, paint) + failures(comparison) + advice(comparison, paint);
  }
  out += notes(comparison);
  if (comparison.gave_up) {
    View view;
    view.color = color;
    return out + text(*comparison.gave_up, view);
  }
  return out + last_line(comparison, paint);
}

}  // namespace heddle::report
