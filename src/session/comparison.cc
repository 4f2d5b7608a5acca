#include "session/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "session/interrupt.h"
#include "session/run_search.h"
#include "session/search_setup.h"

namespace heddle::session {

namespace {

Options options_for(const Options& options, const std::string& strategy) {
  Options own = options;
  own.strategy = strategy;
  own.strategy_options.clear();  // each is for its own alone
  return own;
}

report::ComparedStrategy compared(const Options& options, const std::string& name) {
  SearchSetup setup = setup_of(options_for(options, name));
  report::ComparedStrategy strategy;
  strategy.name = name;
  strategy.uses_seed = explore::uses_seed(setup.record, setup.stages);
  if (!setup.record.needs_budget) strategy.preemptions = setup.stages.back().preemptions;
  return strategy;
}

// Those that were named must go with the other options; of all, those that do are taken.
void choose_strategies(const Options& options, report::Comparison* comparison) {
  for (const std::string& name : options.strategies) {
    comparison->strategies.push_back(compared(options, name));
  }
  if (!options.strategies.empty()) return;
  for (const explore::StrategyRecord& record : explore::strategies()) {
    try {
      comparison->strategies.push_back(compared(options, record.name));
    } catch (const UserError& error) {
      comparison->left_out.push_back({record.name, error.what()});
    }
  }
  if (comparison->strategies.empty()) throw UserError(comparison->left_out.front().why);
}

class Comparer {
 public:
  Comparer(const Subject& subject, const Options& options) : subject_(subject), options_(options) {
    all_.program = subject.command;
    all_.executions = options.executions;
    all_.seconds = options.seconds;
    for (uint32_t i = 0; i < options.seeds; ++i) all_.seeds.push_back(options.seed + i);
    choose_strategies(options, &all_);
    for (const report::ComparedStrategy& strategy : all_.strategies) {
      all_.planned += strategy.uses_seed ? options.seeds : 1;
    }
  }

  report::Comparison run() {
    size_t number = 0;
    for (uint64_t seed : all_.seeds) {
      for (report::ComparedStrategy& strategy : all_.strategies) {
        if (!strategy.uses_seed && !strategy.runs.empty()) continue;
        std::string how = strategy.name;
        if (strategy.uses_seed) how += fmt::format(", seed {}", seed);
        series_.label = fmt::format("run {} of {}: {}", ++number, all_.planned, how);
        if (!run_one(&strategy, seed)) return std::move(all_);
      }
    }
    return std::move(all_);
  }

 private:
  // False: no more are to follow.
  bool run_one(report::ComparedStrategy* strategy, uint64_t seed) {
    series_.found = std::nullopt;
    series_.samples.clear();
    Options options = options_for(options_, strategy->name);
    options.seed = seed;
    options.keep_going = false;
    report::Summary summary = run_search(subject_, options, nullptr, &series_);
    all_.interrupted = summary.interrupted;
    for (trace::Finding& finding : summary.findings) {
      series_.told.push_back(finding.key);
      all_.failures.push_back(finding);
    }
    bool failed = report::verdict_of(summary) == report::Verdict::failed;
    if (!failed && (summary.unrepeatable || !summary.unsupported.empty())) {
      all_.gave_up = std::move(summary);
      return false;
    }
    // One that was interrupted tells nothing, unless it was done already.
    if (failed || !summary.interrupted) strategy->runs.push_back(told(summary, seed, failed));
    return !summary.interrupted;
  }

  report::ComparedRun told(const report::Summary& summary, uint64_t seed, bool failed) const {
    report::ComparedRun run;
    run.seed = seed;
    run.failed = failed;
    if (failed && series_.found) {
      auto at = std::ranges::find(series_.told, *series_.found);
      if (at != series_.told.end()) run.failure = static_cast<size_t>(at - series_.told.begin());
    }
    run.complete = !failed && report::is_complete(summary);
    run.bounded = summary.preemptions || summary.delays || summary.depth;
    run.covered = report::coverage(summary);
    run.executions = summary.executions;
    run.distinct = summary.distinct;
    run.seconds = summary.seconds;
    run.samples = series_.samples;
    run.notes = summary.notes;
    return run;
  }

  const Subject& subject_;
  const Options& options_;
  report::Comparison all_;
  Series series_;  // its failures are those of all_, in the same order
};

}  // namespace

report::Comparison compare(const Subject& subject, const Options& options) {
  return Comparer(subject, options).run();
}

}  // namespace heddle::session
