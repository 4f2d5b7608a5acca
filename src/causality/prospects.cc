#include "causality/prospects.h"

#include "causality/append.h"

namespace heddle::causality {

bool Prospects::tell(const wire::Result& result, std::span<const wire::Step> steps,
                     std::span<const wire::Step> pending, std::span<const uint16_t> option_threads,
                     uint32_t from, uint32_t bound, Array<char>* out) {
  forks_.clear();
  ways_.clear();
  wire::Prospects head{};
  uint32_t preemptions = 0;
  uint64_t first_option = 0;  // of the step, in option_threads
  for (uint32_t i = 0; i < steps.size(); ++i) {
    const wire::Step& step = steps[i];
    if (i == from) head.preemptions = preemptions;
    bool is_bound_reached = preemptions >= bound && step.options > step.free_options;
    uint16_t options = is_bound_reached ? step.free_options : step.options;
    if (i >= from) {
      if (is_bound_reached) head.held_back = 1;
      if (options > 1) {
        uint64_t told = sizeof head + (forks_.size() + 1) * sizeof(wire::Prospect) +
                        wire::padded(ways_.size() + options - 1u);
        if (told > wire::kMaxToldBytes) return false;
        if (forks_.empty()) order_.look_at(result, steps, pending, option_threads, i);
        forks_.push_back(
            {i, step.check, preemptions, options, step.free_options, step.choice, 0, 0});
        for (uint32_t choice = 1; choice < options; ++choice) {
          uint64_t option = first_option + choice;
          uint32_t thread =
              option < option_threads.size() ? option_threads[option] : uint32_t{wire::kNoThread};
          ways_.push_back(choice == step.choice ? wire::Way{0}
                                                : way(forks_.back(), choice, thread));
        }
      }
    }
    first_option += step.options;
    if (step.choice >= step.free_options) ++preemptions;
  }
  if (from >= steps.size()) head.preemptions = preemptions;
  head.fork_count = static_cast<uint32_t>(forks_.size());
  head.way_count = static_cast<uint32_t>(ways_.size());
  while (ways_.size() % 8 != 0) ways_.push_back(0);
  out->clear();
  append(out, &head, 1);
  append(out, forks_.begin(), forks_.size());
  append(out, ways_.begin(), ways_.size());
  return true;
}

wire::Way Prospects::way(const wire::Prospect& fork, uint32_t choice, uint32_t thread) {
  auto way = static_cast<wire::Way>(order_.worth(fork.step, thread));
  bool preempts = choice >= fork.free_options;
  if (preempts && order_.is_asleep(fork.step, thread)) way |= wire::kAsleep;
  return way;
}

}  // namespace heddle::causality
