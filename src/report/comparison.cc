#include "report/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/exit_code.h"
#include "report/style.h"

namespace heddle::report {

namespace {

double executions_of(const ComparedStrategy& strategy) {
  double sum = 0;
  for (const ComparedRun& run : strategy.runs) sum += static_cast<double>(run.executions);
  return sum;
}

// The run with the fewest executions of those that are `wanted`; none: there is none.
template <typename Wanted>
std::optional<size_t> shortest(const ComparedStrategy& strategy, Wanted wanted) {
  std::optional<size_t> best;
  for (size_t i = 0; i < strategy.runs.size(); ++i) {
    const ComparedRun& run = strategy.runs[i];
    if (wanted(run) && (!best || run.executions < strategy.runs[*best].executions)) best = i;
  }
  return best;
}

// The strategy, with the run to be shown, for which `cost` is least; the first of equals.
template <typename Wanted, typename Cost>
std::optional<Best> least(const Comparison& comparison, Best::Reason reason, Wanted wanted,
                          Cost cost) {
  std::optional<Best> best;
  double least = 0;
  for (size_t i = 0; i < comparison.strategies.size(); ++i) {
    const ComparedStrategy& strategy = comparison.strategies[i];
    std::optional<size_t> run = shortest(strategy, wanted);
    if (!run) continue;
    double price = cost(strategy);
    if (best && price >= least) continue;
    best = Best{reason, i, *run};
    least = price;
  }
  return best;
}

}  // namespace

void add_sample(const Sample& sample, std::vector<Sample>* samples) {
  if (samples->size() >= kMaxSamples) {
    size_t kept = 0;
    for (size_t i = 1; i < samples->size(); i += 2) (*samples)[kept++] = (*samples)[i];
    samples->resize(kept);
  }
  samples->push_back(sample);
}

std::optional<Spread> spread_of(const std::vector<double>& numbers) {
  if (numbers.empty()) return std::nullopt;
  auto [min, max] = std::ranges::minmax(numbers);
  double count = static_cast<double>(numbers.size());
  double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  Spread spread{min, mean, max, std::nullopt};
  if (numbers.size() == 1) return spread;
  double squares = 0;
  for (double number : numbers) squares += (number - mean) * (number - mean);
  spread.deviation = std::sqrt(squares / (count - 1));
  return spread;
}

Figures figures_of(const ComparedStrategy& strategy) {
  Figures figures;
  std::vector<double> executions;
  std::vector<double> seconds;
  double distinct = 0;
  double time = 0;
  for (const ComparedRun& run : strategy.runs) {
    distinct += static_cast<double>(run.distinct);
    time += run.seconds;
    if (run.complete) ++figures.complete;
    if (!run.failed) continue;
    ++figures.failed;
    executions.push_back(static_cast<double>(run.executions));
    seconds.push_back(run.seconds);
  }
  figures.executions = spread_of(executions);
  figures.seconds = spread_of(seconds);
  if (figures.failed != 0) {
    figures.executions_per_failure = executions_of(strategy) / static_cast<double>(figures.failed);
  }
  if (!strategy.runs.empty())
    figures.distinct = distinct / static_cast<double>(strategy.runs.size());
  if (time > 0) figures.distinct_per_second = distinct / time;
  return figures;
}

std::optional<Best> best_of(const Comparison& comparison) {
  std::optional<Best> best = least(
      comparison, Best::Reason::finds, [](const ComparedRun& run) { return run.failed; },
      [](const ComparedStrategy& strategy) {
        return *figures_of(strategy).executions_per_failure;
      });
  if (best) return best;
  best = least(
      comparison, Best::Reason::covers,
      [](const ComparedRun& run) { return run.complete && !run.bounded; }, executions_of);
  if (best) return best;
  best = least(
      comparison, Best::Reason::goes_on, [](const ComparedRun& run) { return !run.complete; },
      [](const ComparedStrategy& strategy) { return -figures_of(strategy).distinct_per_second; });
  if (best) return best;
  return least(
      comparison, Best::Reason::covers, [](const ComparedRun&) { return true; }, executions_of);
}

std::string command_of(const Comparison& comparison, const Best& best) {
  const ComparedStrategy& strategy = comparison.strategies[best.strategy];
  std::vector<std::string> words = {"heddle", "run", "--strategy", strategy.name};
  auto add = [&](const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  if (strategy.uses_seed) add({"--seed", std::to_string(strategy.runs[best.run].seed)});
  add(comparison.options);
  if (best.reason == Best::Reason::goes_on) {
    add({"--seconds", "600"});
  } else {
    add(comparison.budget);
  }
  add(comparison.program);
  for (std::string& word : words) word = shell_word(word);
  return fmt::format("{}", fmt::join(words, " "));
}

size_t runs_of(const Comparison& comparison) {
  size_t count = 0;
  for (const ComparedStrategy& strategy : comparison.strategies) count += strategy.runs.size();
  return count;
}

size_t failed_runs_of(const Comparison& comparison) {
  size_t count = 0;
  for (const ComparedStrategy& strategy : comparison.strategies) {
    count += figures_of(strategy).failed;
  }
  return count;
}

std::vector<std::string> finders_of(const Comparison& comparison, size_t failure) {
  std::vector<std::string> names;
  for (const ComparedStrategy& strategy : comparison.strategies) {
    auto has_found = [&](const ComparedRun& run) { return run.failure == failure; };
    if (std::ranges::any_of(strategy.runs, has_found)) names.push_back(strategy.name);
  }
  return names;
}

int comparison_exit_code(const Comparison& comparison) {
  if (comparison.interrupted) return heddle::exit_code::interrupted;
  if (comparison.gave_up) return exit_code(*comparison.gave_up);
  return failed_runs_of(comparison) != 0 ? heddle::exit_code::failed : heddle::exit_code::ok;
}

}  // namespace heddle::report
