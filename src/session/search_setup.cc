#include "session/search_setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "session/focus.h"
#include "session/program.h"
#include "session/route.h"
#include "session/stages.h"

namespace heddle::session {

namespace {

constexpr uint64_t kDefaultBudget = 10'000;  // executions, of a strategy that never completes

explore::Limits limits_of(const Options& options, const explore::StrategyRecord& strategy) {
  explore::Limits limits;
  limits.executions = options.executions;
  limits.seconds = options.seconds;
  limits.keep_going = options.keep_going;
  if (options.fair != 0) limits.livelock_after = options.livelock_after;
  limits.ends_with_realised = options.question == options::Question::exists;
  if (!limits.executions && !limits.seconds) {
    limits.executions = options.usual_executions;
    if (strategy.needs_budget && !limits.executions) limits.executions = kDefaultBudget;
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
  if (options.uninstrumented) {
    throw UserError(
        "--reduce dpor needs to see what threads read and write, and the program is not "
        "instrumented: leave it out");
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

// Rounds are left out where other executions stand for them, of which a bound may leave out some;
// and what a round writes is nobody else's as long as races are failures.
void refuse_last_retries(const Options& options) {
  if (!options.last_retries) return;
  if (!options.reduce) {
    throw UserError("--retries last goes with --reduce dpor: add it, or leave --retries out");
  }
  if (options.question != options::Question::none) {
    throw UserError(
        "--retries last does not go with a script, of which no execution may end before its last "
        "transfer: leave it out");
  }
  if (options.races == wire::Races::ignore || !options.suppressions.empty()) {
    throw UserError(fmt::format(
        "--retries last needs to know that what a round writes is read by nobody else: leave out "
        "{} or --retries",
        options.races == wire::Races::ignore ? "--races ignore" : "--suppress"));
  }
}

constexpr std::string_view kBacktrack = "backtrack";
constexpr char kGuide[] = "guide";

void refuse_options_of_others(const Options& options, const explore::StrategyRecord& record) {
  for (const auto& [strategy, option] : options.strategy_options) {
    if (strategy != record.name) {
      throw UserError(fmt::format("--{} goes with --strategy {}", option, strategy));
    }
  }
  bool is_bounded = options.preemptions_given || options.delays || options.depth;
  if (options.strategy_options.contains("auto") && (is_bounded || options.reduce)) {
    throw UserError(
        fmt::format("--samplers does not go with {}, which samplers would not keep to: leave one "
                    "of them out",
                    is_bounded ? "a bound" : "--reduce dpor"));
  }
}

// States are told apart by the happens-before that leads to them, all of it: reduction leaves some
// of that out, and samplers go where they want.
void refuse_matching(const Options& options, const explore::StrategyRecord& record) {
  if (!options.match.value_or(false)) return;
  if (record.staged || record.needs_budget) {
    throw UserError(fmt::format(
        "--match does not go with --strategy {}; type --strategy dfs, best-first or backtrack",
        record.name));
  }
  if (options.reduce)
    throw UserError("--match does not go with --reduce dpor: leave one of them out");
  if (options.question != options::Question::none) {
    throw UserError(
        "--match does not go with a script, which has a state of its own: leave it out");
  }
  if (options.uninstrumented) {
    throw UserError(
        "--match needs to see what threads read and write, and the program is not instrumented: "
        "leave it out");
  }
}

// Parts can be dealt out where each schedule has one parent, and what is left out does not depend
// on what was run before.
void refuse_divided(const Options& options, const explore::StrategyRecord& record) {
  if (!options.is_divided()) return;
  const char* divided = options.on.is_given() ? "--on" : "--shard";
  // Over machines a search is divided as it goes: there is nothing to divide where each schedule
  // is drawn by chance.
  bool is_indivisible = record.name == kBacktrack || record.name == std::string_view(kGuide) ||
                        (options.on.is_given() && record.needs_budget);
  if (is_indivisible) {
    throw UserError(fmt::format(
        "--strategy {} cannot be divided into parts; leave out {}, or type --strategy auto",
        record.name, divided));
  }
  const char* other = nullptr;
  if (options.reduce && options.on.is_given()) other = "--reduce dpor";
  if (options.last_retries) other = "--retries last";
  if (options.match.value_or(false)) other = "--match on";
  if (options.livelock_after != 0) other = "--livelock-after";
  if (!options.first.empty()) other = "--first";
  if (options.on.is_given()) {
    if (options.shard.is_on()) other = "--shard";
    if (!options.list_executions.empty()) other = "--list-executions";
    if (!options.list_states.empty()) other = "--list-states";
    if (options.strategy_options.contains("auto")) other = "--samplers";
    if (options.show_output) other = "--show-output";
  }
  if (other != nullptr) {
    throw UserError(fmt::format("{} does not go with {}: leave one of them out", other, divided));
  }
  if (options.question != options::Question::none) {
    throw UserError(
        fmt::format("{} is for heddle run; a test script cannot be divided into parts", divided));
  }
}

// With something to look at first `auto` is best-first search.
const explore::StrategyRecord& strategy_of(const Options& options) {
  const explore::StrategyRecord& record = explore::find_strategy(options.strategy);
  // A script says itself which schedules there are: they are taken as they come.
  bool is_scripted = options.question != options::Question::none;
  if (is_scripted && record.staged) return explore::find_strategy("best-first");
  if (!options.through.empty() && record.staged) return explore::find_strategy(kGuide);
  if (asked_for(options).empty()) return record;
  if (record.staged) return explore::find_strategy("best-first");
  if (record.default_order != nullptr) return record;
  throw UserError(
      fmt::format("strategy {} has no order, and cannot look at anything first; type "
                  "--strategy best-first",
                  record.name));
}

// Where each execution is looked at, or their order was asked for, they are run one by one.
bool may_have_subtrees(const Options& options, const explore::StrategyRecord& record) {
  bool may_be_best_first =
      record.name == std::string_view("dfs") || record.default_order != nullptr;
  return options.subtrees && may_be_best_first && !options.reduce && asked_for(options).empty() &&
         options.order.empty() && !options.match.value_or(false) && !options.shard.is_on() &&
         options.livelock_after == 0 && options.question == options::Question::none &&
         options.list_executions.empty() && options.memory == Options().memory &&
         isolation_of(options) == wire::Isolation::snapshot;
}

// What is to be run first is chosen among threads, one step at a time, and not among executions.
bool asks_for_order(const Options& options) {
  return !options.order.empty() || options.priority || !options.focus_methods.empty() ||
         !options.focus_variables.empty();
}

explore::StrategyOptions strategy_options_of(const Options& options,
                                             const explore::StrategyRecord& record) {
  explore::StrategyOptions strategy;
  strategy.preemptions = options.preemptions;
  bool is_scripted = options.question != options::Question::none;
  if (!options.preemptions_given && !options.delays && !is_scripted) {
    strategy.preemptions = record.default_preemptions;
  }
  strategy.delays = options.delays;
  strategy.depth = options.depth;
  strategy.reduce = options.reduce;
  strategy.sleep_sets = options.sleep_sets;
  strategy.scripted = is_scripted;
  strategy.lineage = options.sleep_sets && !options.last_retries && !is_scripted &&
                     !options.is_divided() && !asks_for_order(options);
  if (options.reduce) {
    refuse_with_reduction(options, record);
    strategy.preemptions = std::nullopt;
  }
  refuse_divided(options, record);
  strategy.shard = options.shard;
  strategy.seed = options.seed;
  strategy.pct_depth = options.pct_depth;
  refuse_last_retries(options);
  refuse_options_of_others(options, record);
  refuse_matching(options, record);
  bool can_match = options.question == options::Question::none && !options.uninstrumented;
  strategy.match = options.match.value_or(record.name == kBacktrack && can_match);
  if (record.name == kBacktrack) {
    strategy.descent = options.descent;
    // One traversal for each threshold that was asked for; else as long as there is time.
    strategy.descent.repeats = (options.executions || options.seconds) && !options.thresholds_given;
    if (options.delays || options.reduce) {
      throw UserError("--strategy backtrack takes neither --delays nor --reduce; leave them out");
    }
  }
  if (record.name == std::string_view(kGuide)) {
    bool goes_along_races = options.through.empty() && options.races == wire::Races::explore;
    if (options.through.empty() && !goes_along_races) {
      throw UserError(
          "--strategy guide needs places to go through; type e.g. --through "
          "queue.h:41,Queue::pop, or --races explore, to go through those that race");
    }
    if (options.delays || options.reduce) {
      throw UserError("--strategy guide takes neither --delays nor --reduce; leave them out");
    }
    strategy.guide = options.guide;
    auto places = static_cast<uint32_t>(options.through.size());
    strategy.guide.places = goes_along_races ? kPlacesOfRace : places;
    if (!goes_along_races) strategy.guide.sequences = {sequence_of_all(places)};
  } else if (!options.through.empty()) {
    throw UserError("--through goes with --strategy guide");
  }
  strategy.subtrees = may_have_subtrees(options, record);
  strategy.user = options.priority;
  strategy.memory = options.memory;
  strategy.directory = options.out;
  if (record.default_order != nullptr && (!record.staged || options.order.empty())) {
    const char* usual = options.reduce ? explore::kReducedOrder : record.default_order;
    if (is_scripted) usual = "pb";
    strategy.order = order_of(options, usual);
  } else if (!options.order.empty()) {
    throw UserError(fmt::format("strategy {} has no order; type --strategy best-first --order {}",
                                record.name, fmt::join(options.order, ",")));
  }
  return strategy;
}

}  // namespace

SearchSetup setup_of(const Options& options) {
  const explore::StrategyRecord& record = strategy_of(options);
  explore::StrategyOptions whole = strategy_options_of(options, record);
  return {record, stages_of(options, record, whole), whole, limits_of(options, record)};
}

void describe_search(const Subject& subject, const Options& options, const SearchSetup& setup,
                     report::Summary* summary) {
  summary->program = subject.command;
  summary->strategy = setup.record.name;
  summary->seed = options.seed;
  summary->accesses = covered_accesses(options);
  summary->spurious = options.spurious;
  summary->last_retries = options.last_retries;
  summary->fair = options.fair != 0;
  summary->scripted = options.question != options::Question::none;
  if (!setup.record.needs_budget) {
    summary->preemptions = setup.stages.back().preemptions;
    summary->delays = setup.whole.delays;
    summary->depth = setup.whole.depth;
    if (setup.whole.reduce) summary->reduce = "dpor";
    if (!setup.record.staged) summary->order = fmt::format("{}", fmt::join(setup.whole.order, ","));
  }
  if (options.uninstrumented) {
    summary->notes.push_back(
        "the program is not instrumented: threads are switched at its library calls alone; its "
        "atomics and other accesses are not seen, nor are data races and wrong accesses to the "
        "heap");
  }
}

}  // namespace heddle::session
