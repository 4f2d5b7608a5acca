// Which steps of other threads come immediately before a step in the happens-before of an
// execution: what a person wants to see as arrows.
//
// The order is that of dependence (wire/dependence.h: the same object, not both reads; create,
// join, wake), as in an execution's fingerprint. Fairness is left out: that a yield depends on
// everything is for the search (causality/races.h), and would be an arrow to everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wire/layout.h"

namespace heddle::trace {

struct Causes {
  // Of step i: causes[begin[i]] to causes[begin[i + 1] - 1], by falling step.
  std::vector<uint32_t> begin;
  std::vector<uint32_t> causes;

  std::span<const uint32_t> of(uint32_t step) const {
    return std::span(causes).subspan(begin[step], begin[step + 1] - begin[step]);
  }
};

// `steps` are all of the execution. A step that comes before another cause of the same step, or
// before the thread's own last step, is no cause: the arrows show the rest. In an execution of very
// many threads and steps some of these are left in.
Causes causes_of(std::span<const wire::Step> steps);

}  // namespace heddle::trace
