// What the threads of an execution that does not end look for in vain: the last that each has read,
// or tried, before it goes round again.
#pragma once

#include <span>
#include <vector>

#include "trace/finding.h"

namespace heddle::trace {

// `steps` are those of one round, or the last ones. For each thread in them, in the order of
// threads: its last few looks that differ, before the last time that it yields if it does; or that
// it looks at nothing.
std::vector<Wait> waits_of(std::span<const DetailedStep> steps);

}  // namespace heddle::trace
