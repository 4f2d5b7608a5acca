// The branches of an observation: where an execution could have gone another way, within bounds.
#include "causality/observation.h"

namespace heddle::causality {

namespace {

// Steps of an execution that was cut in which others may begin: the search is incomplete anyway,
// and what waits shall not fill the disk.
constexpr uint32_t kVariedOfCut = 100'000;

uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

}  // namespace

// Not all steps need be there: those that are, and the total, tell of the others.
uint32_t Observation::preemptions_before(uint32_t step) const {
  uint32_t after = 0;
  for (uint64_t i = step - result().first_step; i < steps().size(); ++i) {
    if (steps()[i].choice >= steps()[i].free_options) ++after;
  }
  return result().preemptions - least(after, result().preemptions);
}

void Observation::find_branches(const wire::Directive& directive) {
  found_branches_.clear();
  found_ways_.clear();
  bool weighs = (directive.flags & wire::kWeigh) != 0;
  uint32_t first = result().first_step;
  uint32_t from = directive.first_step > first ? directive.first_step : first;
  head_.end = least(result().step_count, directive.depth);
  if (result().ending == wire::Ending::cut) head_.end = least(head_.end, kVariedOfCut);
  uint32_t preemptions = head_.preemptions = preemptions_before(from);
  uint32_t first_option = 0;
  for (uint32_t i = first; i < head_.end; ++i) {
    const wire::Step& step = steps()[i - first];
    if (i >= from) {
      bool is_bound_reached = preemptions >= directive.bound && step.options > step.free_options;
      uint16_t options = is_bound_reached ? step.free_options : step.options;
      if (is_bound_reached) head_.held_back = 1;
      if (options > 1) {
        if (weighs && found_branches_.empty()) order_.look_at(*execution_, i);
        found_branches_.push_back(
            {i, step.check, preemptions, options, step.free_options, step.choice, 0, first_option});
        if (weighs) weigh(found_branches_.back());
      }
      if (step.choice >= step.free_options) ++preemptions;
    }
    first_option += step.options;
  }
  branches_ = {found_branches_.begin(), found_branches_.size()};
  ways_ = {found_ways_.begin(), found_ways_.size()};
}

void Observation::weigh(const wire::Branch& branch) {
  std::span<const uint16_t> threads = execution_->option_threads;
  for (uint32_t choice = 1; choice < branch.options; ++choice) {
    wire::Way way = 0;
    if (choice != branch.choice) {
      uint64_t option = uint64_t{branch.first_option} + choice;
      uint32_t thread = option < threads.size() ? threads[option] : uint32_t{wire::kNoThread};
      way = static_cast<wire::Way>(order_.worth(branch.step, thread));
      bool preempts = choice >= branch.free_options;
      if (preempts && order_.is_asleep(branch.step, thread)) way |= wire::kAsleep;
    }
    found_ways_.push_back(way);
  }
}

}  // namespace heddle::causality
