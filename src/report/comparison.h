// What `heddle compare` has to tell: searches of one program with equal budgets, by strategy and
// seed. Each ends with its first failure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/summary.h"

namespace heddle::report {

// How far a search had come at some time.
struct Sample {
  double seconds = 0;
  uint64_t executions = 0;
  uint64_t distinct = 0;
};

// Where there are too many, every second one is dropped.
inline constexpr size_t kMaxSamples = 512;
void add_sample(const Sample& sample, std::vector<Sample>* samples);

struct ComparedRun {
  uint64_t seed = 0;
  bool failed = false;
  std::optional<size_t> failure;  // which of Comparison::failures; none: it could not be shown
  bool complete = false;          // and nothing failed
  bool bounded = false;           // schedules beyond a bound are not among those that it covers
  std::string covered;            // coverage() of it
  uint64_t executions = 0;        // of one that failed: up to its failure
  uint64_t distinct = 0;
  double seconds = 0;
  std::vector<Sample> samples;     // the last one is its end
  std::vector<std::string> notes;  // Summary::notes
};

struct ComparedStrategy {
  std::string name;
  bool uses_seed = false;               // else there is one run
  std::optional<uint32_t> preemptions;  // bound of what it covers
  std::vector<ComparedRun> runs;        // those that have ended; by seed
};

// A strategy that does not go with the other options.
struct LeftOut {
  std::string strategy;
  std::string why;
};

struct Comparison {
  std::vector<std::string> program;          // with its arguments
  std::vector<std::string> options;          // as typed, that `heddle run` takes too: "--spurious"
  std::vector<std::string> budget;           // the same of budgets
  std::optional<uint64_t> executions;        // of each run; none: no limit
  std::optional<double> seconds;             // likewise
  std::vector<uint64_t> seeds;               // of strategies that use one
  std::vector<ComparedStrategy> strategies;  // in the order in which they were named
  std::vector<LeftOut> left_out;
  std::vector<trace::Finding> failures;  // different ones, as they were found
  size_t planned = 0;                    // runs
  bool interrupted = false;
  std::optional<Summary> gave_up;  // of the run that has shown that no more are of use
};

// Of some numbers. The deviation is that of a sample (n - 1); none of a single number.
struct Spread {
  double min = 0;
  double mean = 0;
  double max = 0;
  std::optional<double> deviation;
};
std::optional<Spread> spread_of(const std::vector<double>& numbers);

// What the runs of one strategy come to.
struct Figures {
  size_t failed = 0;    // runs
  size_t complete = 0;  // runs
  // Until the first failure, of those that failed; none: none did.
  std::optional<Spread> executions;
  std::optional<Spread> seconds;
  // All executions, also of runs without a failure, by the number of failures.
  std::optional<double> executions_per_failure;
  double distinct = 0;             // in a run, on average
  double distinct_per_second = 0;  // over all runs
};
Figures figures_of(const ComparedStrategy& strategy);

// What suits the program, and why.
struct Best {
  enum class Reason {
    finds,    // it has the fewest executions for each failure
    covers,   // no failure: it has covered everything, with the fewest executions
    goes_on,  // no failure: it sees the most distinct executions in a second
  };
  Reason reason;
  size_t strategy;  // of Comparison::strategies
  size_t run;       // of its runs; of those that fail the shortest
};
std::optional<Best> best_of(const Comparison& comparison);  // none: no run has ended

// The command that makes this run, or for Reason::goes_on a longer one like it.
std::string command_of(const Comparison& comparison, const Best& best);

size_t runs_of(const Comparison& comparison);  // that have ended
size_t failed_runs_of(const Comparison& comparison);
// Names of the strategies that have come to a failure.
std::vector<std::string> finders_of(const Comparison& comparison, size_t failure);

// A table for people, no wider than 80 columns, and what to type. Ends with a newline.
std::string comparison_text(const Comparison& comparison, bool color = false);
// One object as in the manual. Ends with a newline.
std::string comparison_json(const Comparison& comparison);
// Distinct executions over time, a line for each strategy; as a file of its own.
std::string comparison_svg(const Comparison& comparison);
// The same in a page, with the table.
std::string comparison_html(const Comparison& comparison);
int comparison_exit_code(const Comparison& comparison);

}  // namespace heddle::report
