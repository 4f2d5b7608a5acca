#include "session/stages.h"

#include <algorithm>

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
  bool is_bounded = options.preemptions_given || options.delays || options.depth;
  if (!is_bounded && !options.reduce_given) bounded.samplers = options.samplers;
  bool only_bounded =
      (options.preemptions_given && options.preemptions) || options.delays || options.depth;
  if (!only_bounded) bounded.preemptions = record.default_preemptions;
  bounded.bound_by_bound = bounded.preemptions.has_value();
  if (only_bounded) return {bounded};
  explore::StrategyOptions last = whole;
  last.preemptions = std::nullopt;
  // What the threads of a program that is not instrumented do to each other is not known.
  // Tasks are subtrees of a search that does not reduce.
  bool can_reduce = !options.spurious && !options.uninstrumented && !options.on.is_given();
  if (!options.reduce_given && can_reduce) {
    last.reduce = true;
    last.order = options::parse_order(explore::kReducedOrder);
    // The two run side by side.
    bounded.memory /= 2;
    last.memory -= bounded.memory;
  }
  return {bounded, last};
}

void tell_stages(report::Summary* summary, const explore::Strategy& strategy) {
  std::vector<explore::Stage> stages = strategy.stages();
  if (stages.empty()) return;
  uint64_t before = 0;  // by the stages and the samplers
  for (const explore::Sampled& one : strategy.sampled()) {
    // Of the execution that ended the search nobody was told.
    bool ends = !summary->findings.empty() &&
                summary->findings.back().execution == summary->executions &&
                summary->findings.back().sampler == one.name;
    report::Sampled sampled{one.name, one.executions + (ends ? 1 : 0), one.distinct};
    before += sampled.executions;
    if (sampled.executions != 0) summary->sampled.push_back(sampled);
  }
  for (const explore::Stage& stage : stages) {
    summary->stages.push_back({stage.name, stage.order, stage.preemptions,
                               stage.reduce ? "dpor" : "none", stage.executions, stage.complete,
                               stage.seconds});
    summary->stages.back().common = stage.common;
    before += stage.executions;
  }
  // Else that one belongs to a stage, which its failure names.
  auto ended = summary->stages.end() - 1;
  if (!summary->findings.empty()) {
    auto named =
        std::ranges::find(summary->stages, summary->findings.back().stage, &report::Stage::name);
    if (named != summary->stages.end()) ended = named;
  }
  ended->executions += summary->executions - summary->learning - before;
  // It may have begun with what waits beyond the budget.
  if (summary->stages.size() > 1 && summary->stages.back().executions == 0) {
    summary->stages.pop_back();
  }
  report::Stage& last = summary->stages.back();
  last.complete = last.complete && (last.preemptions.has_value() || summary->complete);
  // Where the bounds have held nothing back, and were done first, it is they that cover all.
  bool by_bounds = summary->complete && !last.complete && summary->stages.size() > 1;
  summary->reduce = by_bounds ? summary->stages.front().reduce : last.reduce;
}

void tell_remaining(report::Summary* summary, const explore::Strategy& strategy) {
  std::optional<explore::Remaining> remaining = strategy.remaining();
  if (summary->complete || !remaining) return;
  summary->remaining = {remaining->waiting, told(remaining->range)};
  // It is known of the stages within bounds, and of a last one that does not reduce.
  auto under_way = std::ranges::find(summary->stages, false, &report::Stage::complete);
  if (under_way != summary->stages.end()) {
    under_way->remaining = told(strategy.remaining_in_stage());
  }
}

}  // namespace heddle::session
