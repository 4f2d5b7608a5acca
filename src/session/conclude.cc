#include "session/conclude.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/exit_code.h"
#include "session/interrupt.h"
#include "session/program.h"
#include "symbols/symbols.h"

namespace heddle::session {

namespace {

// Executions that did not come to an end, and what to type.
std::string cut_note(const explore::Counts& counts, const Options& options) {
  std::string text = fmt::format("{} of {} executions did not end within {} steps and were cut",
                                 counts.cut, counts.executions, options.max_steps);
  if (options.livelock_after != 0) {
    text = fmt::format(
        "{} of {} executions were cut, {} steps longer than those that ended: a thread ran on "
        "without a yield, and what others would have done is not known",
        counts.cut, counts.executions, options.livelock_after);
  }
  uint64_t more = std::min<uint64_t>(uint64_t{options.max_steps} * 10, kMaxSteps);
  if (more > options.max_steps) {
    text += fmt::format("; if they would end, give them more: --max-steps {}", more);
  }
  if (options.fair != 0 && options.livelock_after == 0) {
    text += fmt::format("; if they must not be so long, make it a failure: --livelock-after {}",
                        std::max<uint64_t>(options.yield_after * uint64_t{4}, 20'000));
  }
  return text;
}

// Each once; the first ten by name.
std::string listed(std::vector<std::string> places) {
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  constexpr size_t kShown = 10;
  size_t hidden = places.size() - std::min(places.size(), kShown);
  places.resize(places.size() - hidden);
  return fmt::format("{}{}", fmt::join(places, ", "),
                     hidden == 0 ? "" : fmt::format(" and {} more", hidden));
}

struct SpinPlaces {
  std::set<std::string> certain;
  std::set<std::string> uncertain;
  std::set<std::string> long_runs;

  void add(const pool::Notes& notes) {
    trace::Symbols symbols(notes.modules);
    for (const wire::FoundPlace& spin : notes.idle) {
      trace::CallStack stack = symbols.places(spin.pc);
      std::set<std::string>& places = spin.what == wire::Found::spin         ? certain
                                      : spin.what == wire::Found::maybe_spin ? uncertain
                                                                             : long_runs;
      places.insert(trace::short_place(*trace::user_place(stack)));
    }
  }
};

void tell_spins(const SpinPlaces& places, const Options& options, report::Summary* summary) {
  for (const std::string& place : places.certain) {
    summary->warnings.push_back({wire::Failure::good_samaritan,
                                 "a thread spins without a yield, and keeps those from going on "
                                 "that it waits for; only fair scheduling ends it",
                                 place});
  }
  for (const std::string& place : places.long_runs) {
    summary->warnings.push_back(
        {wire::Failure::good_samaritan,
         fmt::format("a thread made {} steps without a yield, again and again, while others could "
                     "go; fair scheduling then puts them first",
                     options.yield_after),
         place});
  }
  for (const std::string& place : places.uncertain) {
    if (places.certain.contains(place)) continue;
    summary->notes.push_back(
        fmt::format("the loop at {} read the same {} times and was taken for a spin; if it ends "
                    "by itself, what comes then was not seen: --spin-rounds {} goes further",
                    place, options.spin_rounds, uint64_t{options.spin_rounds} * 10));
  }
}

// Reduction and state matching leave out what is equivalent to something else by what is known of
// dependence.
void tell_aliases(bool aliased, report::Summary* summary) {
  if (!aliased) return;
  summary->notes.push_back(
      "the test uses memory by two addresses (mapped twice, or mapped and also read or written as "
      "a file): data races between the two are not noticed");
  bool leaves_out = summary->reduce != "none" || summary->matching.has_value();
  for (const report::Stage& stage : summary->stages) {
    leaves_out = leaves_out || (stage.reduce != "none" && stage.executions != 0);
  }
  if (!leaves_out || !summary->complete) return;
  summary->complete = false;
  summary->stopped_by = "";
  summary->notes.push_back(
      "with reduction or state matching a search does not cover what happens there: use "
      "--strategy dfs, or a bound such as --preemptions 3");
}

}  // namespace

void fill_in(report::Summary* summary, explore::Search& search, const explore::Strategy& strategy) {
  const explore::Counts& counts = search.counts();
  summary->executions = counts.executions;
  summary->learning = counts.learning;
  summary->failing_executions = counts.failing;
  summary->steps = counts.steps;
  summary->pruned = counts.pruned;
  summary->redundant = counts.redundant;
  summary->cut = counts.cut;
  if (summary->scripted) summary->realised = counts.finished;
  summary->infeasible = counts.infeasible;
  summary->set_back = counts.set_back;
  summary->distinct = search.distinct().count();
  summary->distinct_estimated = search.distinct().estimated();
  if (search.states().size() != 0) summary->states = search.states().size();
  summary->threads = counts.threads;
  summary->max_steps = counts.max_steps;
  if (std::optional<explore::Matching> matching = strategy.matching()) {
    summary->matching = {matching->states + summary->states_to_failure, matching->matched,
                         matching->on, std::nullopt};
    if (!summary->findings.empty()) summary->matching->depth = summary->findings.back().depth;
  }
  if (std::optional<explore::Guided> guided = strategy.guided()) {
    summary->guided = {guided->places, std::max(guided->passed, summary->passed_to_failure),
                       guided->states + summary->states_to_failure, false};
  }
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
  if (summary->broken) {
    const char* how = summary->broken->exit_code == exit_code::internal
                          ? "an internal error has ended the search, please report it: {}"
                          : "the search had to end here: {}";
    summary->notes.push_back(fmt::format(fmt::runtime(how), summary->broken->what));
  }
  if (counts.cut > 0) {
    summary->notes.push_back(cut_note(counts, options));
  }
  if (counts.executions == 0 && end == explore::SearchEnd::budget && limits.seconds.has_value()) {
    summary->notes.push_back(
        fmt::format("no execution has ended in {:g} s: give it more time, --seconds {:g}, or see "
                    "where it stands, "
                    "--hang-after {:g}",
                    *limits.seconds, *limits.seconds * 10, std::max(*limits.seconds / 2, 0.1)));
  }
  if (counts.counted != 0) summary->yield_after = options.yield_after;
  summary->complete = end == explore::SearchEnd::complete && counts.cut == 0;
  if (!summary->findings.empty()) {
    summary->verdict = report::Verdict::failed;
  } else {
    bool passed = summary->complete || summary->witness.has_value();
    summary->verdict = passed ? report::Verdict::passed : report::Verdict::incomplete;
  }
}

void tell_notes(const std::vector<pool::Notes>& all, const Options& options,
                report::Summary* summary) {
  SpinPlaces places;
  uint32_t used = 0;
  for (const pool::Notes& notes : all) {
    places.add(notes);
    used |= notes.unvaried;
  }
  tell_spins(places, options, summary);
  tell_aliases((used & wire::kAliases) != 0, summary);
#define HEDDLE_KIND(id, text, bit) \
  if ((used & bit) != 0) summary->unvaried.push_back(text);
  HEDDLE_UNVARIED(HEDDLE_KIND)
#undef HEDDLE_KIND
}

void tell_racing(std::vector<std::string> places, report::Summary* summary) {
  if (places.empty()) return;
  summary->notes.push_back(fmt::format(
      "threads were also switched at accesses and calls that race: {}", listed(std::move(places))));
}

void tell_lineless(report::Summary* summary) {
  for (const trace::Finding& finding : summary->findings) {
    const trace::Place* place = finding.place();
    if (place == nullptr || place->system || place->foreign || place->line > 0) continue;
    std::string module = place->module;
    auto has_line = [&](const trace::Place& p) { return p.line > 0 && p.module == module; };
    if (std::ranges::any_of(finding.timeline.places, has_line)) continue;
    summary->notes.push_back(fmt::format(
        "{} was compiled without -g, so there are no source lines, and few names of variables; "
        "with CMake: -DCMAKE_BUILD_TYPE=RelWithDebInfo",
        module));
    return;
  }
}

void tell_assembly(const Identity& modules, report::Summary* summary) {
  std::vector<std::string> places;
  for (const auto& [path, id] : modules) {
    for (std::string& place : assembly_of(path)) places.push_back(std::move(place));
  }
  if (places.empty()) return;
  bool races = std::ranges::any_of(summary->findings, [](const trace::Finding& finding) {
    return finding.kind == wire::Failure::data_race;
  });
  summary->notes.push_back(fmt::format(
      "inline assembly touches memory: what it reads, writes or orders is not seen, and "
      "threads are not switched there{}: {}",
      races ? ", so that what it orders may be told as a data race" : "",
      listed(std::move(places))));
}

}  // namespace heddle::session
