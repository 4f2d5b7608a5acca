// Of Search: what becomes of a subtree that a worker has searched by itself. Reports are merged in
// the order in which subtrees were handed out, like outcomes.
#include <algorithm>

#include "base/check.h"
#include "explore/search.h"

namespace heddle::explore {

std::optional<SearchEnd> Search::subtree_done(const pool::Outcome& outcome) {
  pool::Plan plan = pool_.next_plan();
  causality::Subtree subtree;
  HEDDLE_CHECK(subtree.read(outcome.execution.digest));
  const wire::SubtreeReport& report = subtree.report;
  uint64_t before = counts_.executions;
  merge(subtree);
  issued_ -= executions_of(plan) - report.counted;
  since_clock_ += report.counted;
  if (report.end == wire::SubtreeEnd::stopped) {
    // The budget is spent in the middle of it: what waits is as it was before. With more of a
    // budget, it is run once more, and what has been counted is passed over.
    plan.stop = 0;
    plan.skipped = static_cast<uint32_t>(report.executions);
    held_.push_front(plan);
  } else {
    strategy_.learn_subtree(plan, subtree);
  }
  pool_.release();
  if (lesson_is_over(before)) return SearchEnd::learnt;
  return std::nullopt;
}

void Search::merge(const causality::Subtree& subtree) {
  const wire::SubtreeReport& report = subtree.report;
  std::span<const char> rest = subtree.states, records;
  uint32_t execution = 0;
  while (causality::Subtree::next_states(&rest, &execution, &records)) {
    states_.add(counts_.executions + execution, records);
  }
  // Those that have been counted before as well: it makes no difference.
  for (uint64_t fingerprint : subtree.fingerprints) distinct_.add(fingerprint);
  for (const wire::SubtreeFailures& one : subtree.failures) {
    if (!suppressed_keys_.contains(one.key)) counts_.failing += one.failed;
  }
  counts_.executions += report.counted;
  counts_.steps += report.steps;
  counts_.finished += report.finished;
  counts_.pruned += report.pruned;
  counts_.set_back += report.set_back;
  counts_.counted += report.counted_back;
  counts_.threads = std::max(counts_.threads, report.threads);
  counts_.max_steps = std::max(counts_.max_steps, report.max_steps);
  counts_.longest_ended = std::max(counts_.longest_ended, report.max_steps);
  if (report.counted != 0) counts_.last_steps = report.last_steps;
}

}  // namespace heddle::explore
