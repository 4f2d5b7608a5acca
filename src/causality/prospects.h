// Where an execution could have gone another way within a bound, and what a reduction would say to
// each of these ways: what a search needs that orders by partial order, but prunes nothing.
//
// The worker that ran the execution tells it, and the steps stay where they are, as with lessons.h.
// Most executions of a bounded search have few such ways, and then there is hardly anything to
// tell.
#pragma once

#include <cstdint>
#include <span>

#include "base/array.h"
#include "causality/partial_order.h"
#include "wire/prospects.h"

namespace heddle::causality {

class Prospects {
 public:
  // Of a whole execution: all steps, what was pending, the threads of the options of all steps, as
  // far as they are known. Only the steps from `from` on are of interest, and schedules with at
  // most `bound` preemptions. In the form of wire/prospects.h; false: it would be too long.
  bool tell(const wire::Result& result, std::span<const wire::Step> steps,
            std::span<const wire::Step> pending, std::span<const uint16_t> option_threads,
            uint32_t from, uint32_t bound, Array<char>* out);

 private:
  wire::Way way(const wire::Prospect& fork, uint32_t choice, uint32_t thread);

  PartialOrder order_;
  Array<wire::Prospect> forks_;
  Array<wire::Way> ways_;
};

}  // namespace heddle::causality
