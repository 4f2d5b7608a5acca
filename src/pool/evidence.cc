#include "pool/evidence.h"

#include <algorithm>
#include <cstring>

namespace heddle::pool {

namespace {

constexpr uint64_t kOutputLimit = uint64_t{1} << 20;  // bytes of output kept with an execution

// `count` of them, or fewer: as many as there can be.
template <typename T, size_t kMost>
std::vector<T> copy(const T (&from)[kMost], uint32_t count) {
  std::vector<T> copied(std::min<size_t>(count, kMost));
  if (!copied.empty()) std::memcpy(copied.data(), from, copied.size() * sizeof(T));
  return copied;
}

std::vector<wire::StepDetail> copy_steps(const wire::Detail& detail, uint32_t step_count) {
  std::vector<wire::StepDetail> steps;
  for (uint32_t i = step_count - std::min(step_count, wire::kDetailedSteps); i < step_count; ++i) {
    wire::StepDetail step;
    std::memcpy(&step, &detail.steps[i % wire::kDetailedSteps], sizeof step);
    if (step.step == i) steps.push_back(step);
  }
  return steps;
}

// Those that are where they should be.
std::vector<wire::EarlyStep> copy_early(const wire::Detail& detail, uint32_t step_count) {
  std::vector<wire::EarlyStep> early = copy(detail.early, std::min(detail.early_count, step_count));
  size_t kept = 0;
  for (size_t i = 0; i < early.size(); ++i) {
    if (early[i].step == i) early[kept++] = early[i];
  }
  early.resize(kept);
  return early;
}

}  // namespace

trace::Modules copy_modules(const wire::Region& region) {
  return copy(region.modules, region.module_count.load(std::memory_order_acquire));
}

std::optional<trace::Details> copy_details(const wire::Detail& detail,
                                           const trace::Execution& execution) {
  if (detail.job != execution.id) return std::nullopt;
  trace::Details details;
  std::memcpy(&details.failure, &detail.failure, sizeof details.failure);
  details.disputed = detail.disputed;
  details.witnesses = copy(detail.witnesses, detail.witness_count);
  details.names = copy(detail.names, detail.name_count);
  uint32_t step_count = execution.result.step_count;
  details.steps = copy_steps(detail, step_count);
  details.early = copy_early(detail, step_count);
  details.early_stacks = copy(detail.early_stacks, detail.early_stack_count);
  // The runtime writes the threads last: an execution that was killed has none, or those of an
  // earlier one.
  uint32_t threads = detail.thread_count;
  if (detail.step_count == step_count && threads <= wire::kMaxThreads + 1) {
    details.threads = copy(detail.threads, threads);
  }
  return details;
}

trace::Evidence copy_evidence(const SharedRegion& region, const Plan& plan,
                              const Outcome& outcome) {
  const wire::Region& shared = *region.get();
  const wire::Detail& detail = *region.detail();
  trace::Evidence evidence;
  evidence.result = outcome.execution.result;
  evidence.steps.assign(outcome.execution.steps.begin(), outcome.execution.steps.end());
  evidence.option_threads.assign(outcome.execution.option_threads.begin(),
                                 outcome.execution.option_threads.end());
  evidence.message = outcome.message;
  evidence.modules = copy_modules(shared);
  evidence.details = copy_details(detail, outcome.execution);
  if ((plan.flags & wire::kDetail) != 0) evidence.output = region.captured(kOutputLimit);
  evidence.unsupported.assign(shared.unsupported,
                              strnlen(shared.unsupported, sizeof shared.unsupported));
  std::memcpy(&evidence.unsupported_at, &detail.failure.stack, sizeof evidence.unsupported_at);
  bool was_given_up = outcome.execution.result.ending == wire::Ending::redundant;
  if (was_given_up && shared.has_wanted.load() != 0) evidence.wanted = shared.wanted;
  evidence.racing = copy(shared.racing_found.at, shared.racing_found.count.load());
  return evidence;
}

Notes copy_notes(const SharedRegion& region) {
  const wire::Region& shared = *region.get();
  return {copy_modules(shared), copy(shared.idle_found.at, shared.idle_found.count.load()),
          shared.unvaried.load()};
}

}  // namespace heddle::pool
