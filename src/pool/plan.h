// What a strategy asks for: one run of the program along a schedule, as a directive says.
//
// A plan is small and has no memory of its own. Its decisions are written by the planner when, and
// as often as, they are sent: a job that was lost with its worker is sent again.
#pragma once

#include <cstdint>

#include "wire/directive.h"

namespace heddle::pool {

struct Plan : wire::Directive {
  Plan() : Directive(wire::plain_directive()) {}
  uint64_t token = 0;  // the planner's own
};

class Planner {
 public:
  virtual ~Planner() = default;
  // Writes the plan's `decision_count` decisions by rising step. The plan is one whose execution is
  // still due.
  virtual void write_decisions(const Plan& plan, wire::Decision* out) const = 0;
};

}  // namespace heddle::pool
