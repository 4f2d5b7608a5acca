#include "session/stages.h"

#include "options/parse_order.h"

namespace heddle::session {

namespace {

std::optional<report::Range> told(const std::optional<explore::Range>& range) {
  if (!range) return std::nullopt;
  return report::Range{range->estimate, range->low, range->high};
}

}  // namespace

std::vector<explore::StrategyOptions> stages_of(const Options& options,
                                                const explore::StrategyRecord& record,
                                                const explore::StrategyOptions& whole) {
  if (!record.staged || whole.reduce) return {whole};
  explore::StrategyOptions bounded = whole;
  bool only_bounded =
      (options.preemptions_given && options.preemptions) || options.delays || options.depth;
  if (!only_bounded) bounded.preemptions = record.default_preemptions;
  bounded.bound_by_bound = bounded.preemptions.has_value();
  if (only_bounded) return {bounded};
  explore::StrategyOptions last = whole;
  last.preemptions = std::nullopt;
  if (!options.reduce_given && !options.spurious) {
    last.reduce = true;
    last.order = options::parse_order(explore::kReducedOrder);
  }
  return {bounded, last};
}

void tell_stages(report::Summary* summary, const explore::Strategy& strategy) {
  std::vector<explore::Stage> stages = strategy.stages();
  if (stages.empty()) return;
  uint64_t before = 0;
  for (const explore::Stage& stage : stages) {
    summary->stages.push_back({stage.name, stage.order, stage.preemptions,
                               stage.reduce ? "dpor" : "none", stage.executions, stage.complete,
                               stage.seconds});
    before += stage.executions;
  }
  // The execution that ended the search belongs to the last, which was not told of it.
  summary->stages.back().executions += summary->executions - before;
  // It may have begun with what waits beyond the budget.
  if (summary->stages.size() > 1 && summary->stages.back().executions == 0) {
    summary->stages.pop_back();
  }
  report::Stage& last = summary->stages.back();
  last.complete = last.complete && (last.preemptions.has_value() || summary->complete);
  summary->reduce = last.reduce;
}

void tell_remaining(report::Summary* summary, const explore::Strategy& strategy) {
  std::optional<explore::Remaining> remaining = strategy.remaining();
  if (summary->complete || !remaining) return;
  summary->remaining = {remaining->waiting, told(remaining->range)};
  if (summary->stages.empty() || summary->stages.back().complete) return;
  summary->stages.back().remaining = told(strategy.remaining_in_stage());
}

}  // namespace heddle::session
