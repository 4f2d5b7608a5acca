// Executions that tests make up, as races have looked at them.
#pragma once

#include <utility>
#include <vector>

#include "causality/races.h"
#include "causality/steps.h"

namespace heddle::trace {

struct LookedAt {
  std::vector<wire::Step> steps;
  causality::Races races;

  LookedAt(std::vector<wire::Step> list, uint32_t threads) : steps(std::move(list)) {
    wire::Result result{};
    result.step_count = static_cast<uint32_t>(steps.size());
    result.thread_count = threads;
    races.look_at(result, steps, {}, 0);
  }
};

}  // namespace heddle::trace
