// The repetition of a livelock's cycle, for jobs that have one (wire::Job::cycle): the last so many
// steps before the job's limit led back to where they began, in another run. They are followed, and
// gone round again if need be; the execution ends when the state has come back, or when that takes
// too long. Before the limit the job's own decider decides.
#pragma once

#include "runtime/decide/decider.h"

namespace heddle::runtime {

extern const Decider kCycleDecider;

}  // namespace heddle::runtime
