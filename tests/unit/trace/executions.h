// Executions that tests make up, as races have looked at them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "causality/races.h"
#include "causality/steps.h"

namespace heddle::trace {

struct LookedAt {
  std::vector<wire::Step> steps;
  causality::Races races;

  // The last `waiting` steps are pending.
  LookedAt(std::vector<wire::Step> list, uint32_t threads, size_t waiting = 0)
      : steps(std::move(list)) {
    wire::Result result{};
    std::span<const wire::Step> all = steps;
    result.step_count = static_cast<uint32_t>(steps.size() - waiting);
    result.thread_count = threads;
    races.look_at(result, all.first(result.step_count), all.last(waiting), 0);
  }
};

}  // namespace heddle::trace
