// The report for people. Its last line is the verdict, and says what the verdict rests on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/failure_text.h"
#include "report/style.h"
#include "report/summary.h"

namespace heddle::report {
namespace {

constexpr size_t kSuppressed = 10;  // told one by one
constexpr size_t kToldInFull = 3;   // failures; of more there is a line for each

// A replay has no strategy.
bool is_replay(const Summary& summary) { return summary.strategy.empty(); }

std::string executions_of_script(const Summary& summary) {
  std::string text =
      fmt::format("all {}executions of the script", summary.set_back != 0 ? "fair " : "");
  if (summary.preemptions) {
    text += fmt::format(" with at most {}", counted(*summary.preemptions, "preemption"));
  }
  if (summary.delays) text += fmt::format(", at most {}", counted(*summary.delays, "delay"));
  if (summary.depth)
    text += fmt::format(", decisions in the first {}", counted(*summary.depth, "step"));
  if (summary.reduce == "dpor") text += ", one of each class of equivalent ones";
  return text;
}

// Which schedules the search is to cover.
std::string schedules(const Summary& summary) {
  if (summary.scripted) return executions_of_script(summary);
  std::string where = " at atomics and synchronisation";
  if (summary.accesses == "all") where = " at memory accesses and synchronisation";
  if (summary.accesses == "calls") where = " at library calls";
  if (summary.guided && !summary.guided->are_racing) where += ", and at the places of --through";
  std::string text = "with any number of preemptions" + where;
  if (summary.preemptions == 0u) {
    text = "without preemptions";
  } else if (summary.preemptions) {
    text = fmt::format("with at most {}{}", counted(*summary.preemptions, "preemption"), where);
  }
  if (summary.delays) text += fmt::format(", at most {}", counted(*summary.delays, "delay"));
  if (summary.spurious) text += ", with spurious events";
  if (summary.depth)
    text += fmt::format(", decisions in the first {}", counted(*summary.depth, "step"));
  if (summary.stages.size() <= 1 && summary.reduce == "dpor") {
    text += ", one of each class of equivalent ones";
  }
  if (summary.last_retries) text += ", of retry loops the last round alone (--retries last)";
  bool matches = summary.matching && summary.matching->on;
  if (matches && !summary.states) text += ", each state once";
  if (summary.yield_after != 0) {
    text += fmt::format(", a turn of {} without a yield at most (--yield-after)",
                        counted(summary.yield_after, "step"));
  }
  if (!summary.unvaried.empty()) {
    text += fmt::format(" ({} not varied)", fmt::join(summary.unvaried, " and "));
  }
  // Which states are the same is the test's own word then.
  const char* what = matches && summary.states ? "all states that heddle::state tells apart, "
                     : summary.set_back != 0   ? "all fair schedules "
                                               : "all schedules ";
  return what + text;
}

std::string extent(const Summary& summary) {
  std::string text;
  if (!summary.suppressed.empty())
    text = fmt::format("{} suppressed; ", counted(summary.suppressed.size(), "failure"));
  text += fmt::format("{}, at most {}, {}", counted(summary.threads, "thread"),
                      counted(summary.max_steps, "step"), duration(summary.seconds));
  if (summary.seconds > 0.1 && summary.executions >= 100) {
    double rate = static_cast<double>(summary.executions) / summary.seconds;
    text += fmt::format(" ({}/s)", grouped(static_cast<uint64_t>(rate)));
  }
  return text;
}

std::string strategy(const Summary& summary) {
  if (is_replay(summary)) return "";
  if (summary.strategy == "dfs" || summary.strategy == "auto") return ", " + summary.strategy;
  if (!summary.order.empty() && summary.order.find("rand") == std::string::npos) {
    return fmt::format(", {} by {}", summary.strategy, summary.order);
  }
  if (!summary.order.empty()) {
    return fmt::format(", {} by {} with seed {}", summary.strategy, summary.order, summary.seed);
  }
  return fmt::format(", {} with seed {}", summary.strategy, summary.seed);
}

// Executions of samplers, beside the stages.
uint64_t samples(const Summary& summary) {
  uint64_t all = 0;
  for (const Sampled& one : summary.sampled) all += one.executions;
  return all;
}

// Parts of the executions that are to be known beside their number, and what they visited.
std::string of_them(const Summary& summary) {
  std::string text;
  uint64_t given_up = summary.pruned - summary.redundant;
  if (summary.reduce == "dpor") {
    text += fmt::format(", {} of them redundant", grouped(summary.redundant));
  }
  if (summary.learning != 0) {
    text += fmt::format(", {} of them to learn {}", grouped(summary.learning),
                        summary.scripted ? "which places there are" : "which places race");
  }
  if (summary.guided) {
    text += fmt::format(", at most {} of {}{} passed", summary.guided->passed,
                        counted(summary.guided->places, "place"),
                        summary.guided->are_racing ? " that race" : "");
  }
  if (summary.former && summary.former->executions() != 0) {
    text += fmt::format(", {} of them of former failures", grouped(summary.former->executions()));
  }
  if (samples(summary) != 0) text += fmt::format(", {} of them sampled", grouped(samples(summary)));
  if (given_up != 0) text += fmt::format(", {} of them discarded by assume", grouped(given_up));
  if (summary.infeasible != 0) {
    text += fmt::format(", {} of them infeasible", grouped(summary.infeasible));
  }
  if (summary.cut != 0) text += fmt::format(", {} of them cut short", grouped(summary.cut));
  if (summary.states) text += fmt::format(", {}", counted(*summary.states, "distinct state"));
  if (summary.parts != 0) text += fmt::format(", in {}", counted(summary.parts, "part"));
  if (summary.machines && summary.machines->machines != 0) {
    text += fmt::format(", on {}", counted(summary.machines->machines, "machine"));
  }
  return text;
}

// The executions of a stage that is not one of the bounds that are complete.
std::string in_stage(const Stage& stage, bool complete) {
  std::string text = grouped(stage.executions);
  if (stage.preemptions == 0u) return text + " without preemptions";
  if (stage.preemptions) return text + " with " + counted(*stage.preemptions, "preemption");
  if (stage.reduce != "dpor") return text + " with any number";
  return text +
         (complete ? ", one of each class of equivalent ones" : " of classes of equivalent ones");
}

// Of a search in stages: how the executions are divided among them, where there is more to tell
// than their number.
std::string stages(const Summary& summary) {
  std::optional<uint32_t> bound = completed_preemptions(summary);
  uint64_t within = 0;  // executions within the bound that is complete
  std::vector<std::string> beyond;
  for (const Stage& stage : summary.stages) {
    if (bound && stage.preemptions && *stage.preemptions <= *bound) {
      within += stage.executions;
    } else if (stage.executions != 0) {
      beyond.push_back(in_stage(stage, summary.complete));
    }
  }
  if (summary.complete && (beyond.empty() || summary.stages.size() == 1)) return "";
  std::string text;
  if (bound) {
    text = fmt::format(
        "{}{} {}", summary.complete ? "" : "all ", grouped(within),
        *bound == 0 ? "without preemptions" : "with at most " + counted(*bound, "preemption"));
  }
  if (beyond.empty()) return text;
  if (!text.empty()) text += ", then ";
  text += fmt::format("{}", fmt::join(beyond, " and "));
  if (!summary.complete) text += " so far";
  return text;
}

// What an incomplete search has left.
std::string remaining(const Summary& summary) {
  auto about = [](const Range& range) {
    return "; " + estimated(range.estimate, range.low, range.high) + " schedules";
  };
  if (!summary.remaining || summary.remaining->waiting == 0) return "";
  if (summary.remaining->range) return about(*summary.remaining->range) + " remain";
  auto stage = std::ranges::find(summary.stages, false, &Stage::complete);
  if (stage != summary.stages.end() && stage->remaining && stage->preemptions) {
    std::string bound = *stage->preemptions == 0
                            ? "without preemptions"
                            : "with at most " + counted(*stage->preemptions, "preemption");
    return fmt::format("{} {} remain, and more beyond", about(*stage->remaining), bound);
  }
  uint64_t waiting = summary.remaining->waiting;
  return fmt::format("; at least {} {}", counted(waiting, "schedule"),
                     waiting == 1 ? "remains" : "remain");
}

std::string why_incomplete(const Summary& summary) {
  if (summary.interrupted) return "interrupted";
  if (summary.shard && summary.shard->complete) {
    return fmt::format("part {} of {} is covered, the others are not known", summary.shard->index,
                       summary.shard->count);
  }
  if (summary.stopped_by.empty()) return "not everything was covered";
  return fmt::format("budget exhausted ({})", summary.stopped_by);
}

std::string passed_line(const Summary& summary, const Paint& paint) {
  if (summary.witness) {
    return fmt::format("{}: execution {} goes as the script says{}; {}\n", paint.green("passed"),
                       grouped(*summary.witness),
                       summary.witness_replay.empty() ? "" : ": " + summary.witness_replay,
                       extent(summary));
  }
  std::string parts = stages(summary);
  if (!parts.empty()) parts = " (" + parts + ")";
  return fmt::format("{}: {}: {}{}{}; {}\n", paint.green("passed"), schedules(summary),
                     counted(summary.executions, "execution"), parts, of_them(summary),
                     extent(summary));
}

std::string incomplete_line(const Summary& summary, const Paint& paint) {
  std::string reason = why_incomplete(summary);
  if (summary.executions == 0) {
    return fmt::format("{}: {}, and no execution has ended; {}\n", paint.yellow("incomplete"),
                       reason, duration(summary.seconds));
  }
  std::string parts = stages(summary);
  if (!parts.empty()) parts = ": " + parts;
  return fmt::format("{}: {} after {}{}: no failure in what was seen{}{}; {}{}\n",
                     paint.yellow("incomplete"), reason, counted(summary.executions, "execution"),
                     of_them(summary), parts, remaining(summary), extent(summary),
                     strategy(summary));
}

std::string failed_line(const Summary& summary, const Paint& paint) {
  if (summary.findings.empty()) {
    return fmt::format(
        "{}: {} of {} failed, but the failure did not recur and cannot be shown; {}{}\n",
        paint.red("failed"), grouped(summary.failing_executions),
        counted(summary.executions, "execution"), extent(summary), strategy(summary));
  }
  if (is_replay(summary)) {
    return fmt::format("{}: the schedule leads to a failure; {}\n", paint.red("failed"),
                       extent(summary));
  }
  size_t count = summary.findings.size();
  std::string what =
      count == 1 ? "1 failure" : fmt::format("{} different failures", grouped(count));
  std::string among = counted(summary.executions, "execution");
  if (summary.complete) among = fmt::format("{}: {}", schedules(summary), among);
  if (summary.interrupted) among += ", then interrupted";
  return fmt::format("{}: {} in {}{}; {}{}\n", paint.red("failed"), what, among, of_them(summary),
                     extent(summary), strategy(summary));
}

std::string unrepeatable_text(const Unrepeatable& what, const Paint& paint) {
  std::string out = fmt::format("{}  the same schedule diverged {} step {} of execution {}\n",
                                paint.red("NOT REPEATABLE"), what.step_known ? "at" : "before",
                                grouped(what.step), grouped(what.execution));
  if (!what.expected.empty()) out += "  expected  " + printable(what.expected) + "\n";
  if (!what.found.empty()) out += "  found     " + printable(what.found) + "\n";
  out +=
      "\n"
      "Something that heddle does not control differs from run to run. Likely causes:\n"
      "  - the processor's own numbers: std::random_device and rdrand, the time of rdtsc\n"
      "  - addresses used as values: hashing, comparing or printing pointers\n"
      "  - files, sockets, pipes and processes that an execution leaves changed\n"
      "  - memory that is read before it is written\n"
      "  - what libc and the kernel keep for a process (strtok, setlocale, chdir, signals)\n"
      "Try: heddle run --isolation fork, which gives each execution a fresh process. If it still\n"
      "differs, the cause lies outside of the process: a file, a clock, a random number.\n\n";
  return out;
}

std::string suppressed_text(const Summary& summary) {
  std::vector<std::pair<std::string, size_t>> lines;  // several may look the same
  for (const Suppressed& one : summary.suppressed) {
    std::string line = fmt::format("suppressed: {} at {}, by {}", wire::failure_name(one.kind),
                                   printable(one.location), printable(one.by));
    auto same = std::ranges::find(lines, line, &std::pair<std::string, size_t>::first);
    same != lines.end() ? (void)++same->second : (void)lines.emplace_back(line, 1);
  }
  std::string out;
  size_t shown = 0;
  for (size_t i = 0; i < std::min(lines.size(), kSuppressed); ++i) {
    shown += lines[i].second;
    out +=
        lines[i].first + (lines[i].second == 1 ? "" : fmt::format(" ({})", lines[i].second)) + "\n";
  }
  size_t more = summary.suppressed.size() - shown;
  if (more != 0) out += fmt::format("suppressed: {} more\n", grouped(more));
  return out;
}

std::string findings_text(const Summary& summary, const View& view) {
  std::string out;
  size_t count = summary.findings.size();
  size_t in_full = count <= kToldInFull + 1 ? count : kToldInFull;
  for (size_t i = 0; i < in_full; ++i) {
    std::string which = count == 1 ? "" : fmt::format("{} of {}", i + 1, count);
    out += failure_text(summary.findings[i], which, is_replay(summary), view);
  }
  if (in_full < count) out += "And in short:\n";
  for (size_t i = in_full; i < count; ++i) out += "  " + failure_line(summary.findings[i]) + "\n";
  if (in_full < count) out += "\n";
  return out;
}

}  // namespace

std::string unsupported_line(const Summary& summary) {
  std::string out = printable(summary.unsupported);
  if (!summary.hint.empty()) out += "\n  " + printable(summary.hint);
  return out;
}

std::string coverage(const Summary& summary) {
  std::string executions = counted(summary.executions, "execution");
  if (is_complete(summary)) {
    return fmt::format("{}, {}{}", schedules(summary), executions, of_them(summary));
  }
  return fmt::format("{} after {}{}", why_incomplete(summary), executions, of_them(summary));
}

std::string text(const Summary& summary, const View& view) {
  Paint paint = view.paint();
  std::string out = findings_text(summary, view);
  if (summary.unrepeatable) out += unrepeatable_text(*summary.unrepeatable, paint);
  if (!summary.unsupported.empty()) {
    out += fmt::format("{}  {}\n\n", paint.red("UNSUPPORTED"), unsupported_line(summary));
  }
  for (const Warning& warning : summary.warnings) {
    out += fmt::format("warning: {} at {}: {}\n", wire::failure_name(warning.kind),
                       printable(warning.location), printable(warning.message));
  }
  for (const std::string& note : summary.notes) out += "note: " + printable(note) + "\n";
  out += suppressed_text(summary);
  if (summary.unrepeatable) {
    return out + fmt::format("{}: gave up after {}, {}\n", paint.red("not repeatable"),
                             counted(summary.executions, "execution"), duration(summary.seconds));
  }
  if (!summary.unsupported.empty()) {
    return out + fmt::format("{}: gave up after {}, {}\n", paint.red("unsupported"),
                             counted(summary.executions, "execution"), duration(summary.seconds));
  }
  switch (verdict_of(summary)) {
    case Verdict::failed:
      return out + failed_line(summary, paint);
    case Verdict::passed:
      return out + passed_line(summary, paint);
    case Verdict::incomplete:
      break;
  }
  for (const std::string& advice : summary.advice) out += "advice: " + printable(advice) + "\n";
  return out + incomplete_line(summary, paint);
}

}  // namespace heddle::report
