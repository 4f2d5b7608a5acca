#include "session/run_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <span>

#include "base/error.h"
#include "explore/search.h"
#include "explore/strategies.h"
#include "options/parse_order.h"
#include "session/focus.h"
#include "session/interrupt.h"
#include "session/program.h"
#include "session/recorder.h"
#include "session/saver.h"
#include "session/stages.h"
#include "session/state_list.h"
#include "session/status_line.h"

namespace heddle::session {

namespace {

constexpr uint64_t kDefaultBudget = 10'000;  // executions, of a strategy that never completes

explore::Limits limits_of(const Options& options, const explore::StrategyRecord& strategy) {
  explore::Limits limits;
  limits.executions = options.executions;
  limits.seconds = options.seconds;
  limits.keep_going = options.keep_going;
  if (options.fair != 0) limits.livelock_after = options.livelock_after;
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
        "--reduce dpor does not know of spurious events: leave out --spurious or "
        "--reduce");
  }
  if (record.needs_budget) {
    throw UserError(fmt::format(
        "strategy {} runs schedules at random: leave out --reduce dpor, or type --strategy "
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

void fill_in(report::Summary* summary, explore::Search& search, const explore::Strategy& strategy) {
  const explore::Counts& counts = search.counts();
  summary->executions = counts.executions;
  summary->learning = counts.learning;
  summary->failing_executions = counts.failing;
  summary->steps = counts.steps;
  summary->pruned = counts.pruned;
  summary->redundant = counts.redundant;
  summary->cut = counts.cut;
  summary->set_back = counts.set_back;
  summary->distinct = search.distinct().count();
  summary->distinct_estimated = search.distinct().estimated();
  if (search.states().size() != 0) summary->states = search.states().size();
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
        const explore::Counts& before, StatusLine* status, ExecutionList* list, History* history,
        report::Summary* summary)
      : strategy_(explore::make_strategy(record, stages)),
        recorder_(subject, options, *strategy_, status, list, history, summary),
        pool_(subject.launch, settings_of(options), *strategy_),
        search_(std::make_unique<explore::Search>(*strategy_, pool_, limits, recorder_, before)) {}

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

  // Places where threads spin without a yield, and where they may: each once.
  void tell_spins(const Options& options, report::Summary* summary) const {
    std::set<std::string> certain;
    std::set<std::string> uncertain;
    std::set<std::string> long_runs;
    for (const pool::Notes& notes : pool_.notes()) {
      trace::Symbols symbols(notes.modules);
      for (const wire::IdleSpin& spin : notes.spins) {
        trace::CallStack stack = symbols.places(spin.pc);
        std::set<std::string>& places = spin.kind == wire::Idle::spin         ? certain
                                        : spin.kind == wire::Idle::maybe_spin ? uncertain
                                                                              : long_runs;
        places.insert(trace::short_place(*trace::user_place(stack)));
      }
    }
    for (const std::string& place : certain) {
      summary->warnings.push_back({wire::Failure::good_samaritan,
                                   "a thread spins without a yield, and keeps those from going on "
                                   "that it waits for; only fair scheduling ends it",
                                   place});
    }
    for (const std::string& place : long_runs) {
      summary->warnings.push_back(
          {wire::Failure::good_samaritan,
           fmt::format(
               "a thread made {} steps without a yield, again and again, while others could "
               "go; fair scheduling then puts them first",
               options.yield_after),
           place});
    }
    for (const std::string& place : uncertain) {
      if (certain.contains(place)) continue;
      summary->notes.push_back(
          fmt::format("the loop at {} read the same {} times and was taken for a spin; if it ends "
                      "by itself, what comes then was not seen: --spin-rounds {} goes further",
                      place, options.spin_rounds, uint64_t{options.spin_rounds} * 10));
    }
  }

  // Each kind once.
  void tell_unvaried(report::Summary* summary) const {
    uint32_t used = 0;
    for (const pool::Notes& notes : pool_.notes()) used |= notes.unvaried;
#define HEDDLE_KIND(id, text, bit) \
  if ((used & bit) != 0) summary->unvaried.push_back(text);
    HEDDLE_UNVARIED(HEDDLE_KIND)
#undef HEDDLE_KIND
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
  if (limits->seconds) *limits->seconds = std::max(*limits->seconds - round.seconds(), 0.0);
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

std::string racing_note(std::vector<std::string> places) {
  return fmt::format("threads were also switched at accesses and calls that race: {}",
                     listed(std::move(places)));
}

void tell_assembly(const Identity& modules, report::Summary* summary) {
  std::vector<std::string> places;
  for (const auto& [path, id] : modules) {
    for (std::string& place : assembly_of(path)) places.push_back(std::move(place));
  }
  if (places.empty()) return;
  summary->notes.push_back(fmt::format(
      "inline assembly touches memory: what it reads, writes or orders is not seen, and "
      "threads are not switched there: {}",
      listed(std::move(places))));
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
  summary.fair = given.fair != 0;
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
  check_state_list(given);
  StatusLine status(!given.quiet);
  Options options = given;
  options.focus = find_focus(subject, given);
  std::vector<std::string> racing;
  explore::Limits left = limits;
  explore::Counts before;  // of the rounds before, of this run and of those that it goes on from
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
    Round round(subject, options, record, stages, left, before, &status, list.get(), &history,
                &summary);
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
    if (saved != nullptr) history.executions = round.search().counts().executions;
    uint64_t begun_at = round.search().counts().executions;
    saved = nullptr;
    explore::SearchEnd end = loaded ? round.run() : explore::SearchEnd::interrupted;
    if (loaded) keep_or_remove(end, save, &history.saver, &summary);
    const Recorder& recorder = round.recorder();
    if (end == explore::SearchEnd::learnt && !recorder.racing_found().empty()) {
      options.racing.insert(options.racing.end(), recorder.racing_found().begin(),
                            recorder.racing_found().end());
      racing.insert(racing.end(), recorder.racing_places().begin(), recorder.racing_places().end());
      before = round.search().counts();
      spend(&left, round, before.executions - begun_at);
      history.seconds += round.seconds();
      continue;  // also if nothing is left of the budget: what was learnt is saved then
    }
    status.erase();
    summary.seconds = history.seconds + round.seconds();
    fill_in(&summary, round.search(), round.strategy());
    conclude(&summary, end, limits, round.search().counts(), history.executions, options);
    tell_stages(&summary, round.strategy());
    tell_remaining(&summary, round.strategy());
    round.tell_spins(options, &summary);
    round.tell_unvaried(&summary);
    tell_assembly(recorder.modules(), &summary);
    std::string problem = write_state_list(given, round.search().states());
    if (!problem.empty()) summary.notes.push_back(problem);
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
