// From what a worker left in shared memory to a Finding.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "trace/execution.h"
#include "trace/finding.h"
#include "wire/layout.h"

namespace heddle::trace {

// `execution` was run with wire::kDetail in the worker of `region`; `all_steps` are its steps from
// 0 on. Reads nothing but the region's module table and detail, and trusts neither: the program may
// have written over them. Without a detail of this job (the worker died early) the finding has no
// stacks but is valid. The caller fills in Finding::execution, ::output and ::schedule_file.
Finding make_finding(const wire::Region* region, const Execution& execution,
                     std::span<const wire::Step> all_steps);

// For a message about one step of a run that has no detail: "T2: atomic load, queue.h:41". `steps`
// are those of the run from 0 on, at least up to `step`; addresses are resolved by the modules of
// `region`.
std::string describe_step(const wire::Region* region, std::span<const wire::Step> steps,
                          uint32_t step);

// What the program used that is not supported, and where: "fork, at server.cc:12"; and what to do
// instead, which may be empty.
struct Unsupported {
  std::string words;
  std::string hint;
};
Unsupported describe_unsupported(const wire::Region* region);

}  // namespace heddle::trace
