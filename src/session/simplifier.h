// Makes the schedule of a failure that a sampler has found simple: with fewer preemptions, by
// running others that are like it.
//
// A schedule is a row of turns, of one thread each. A turn is left out; or, where a thread goes on
// later than it could, its next turn is moved to the one before it, or that one behind. If what
// comes of it is the same failure with fewer preemptions, or as many and fewer switches, it is
// taken, and so on from there.
#pragma once

#include <optional>
#include <span>

#include "session/examiner.h"

namespace heddle::session {

struct Simplified {
  Rerun rerun;
  wire::Result result;
};

// nullopt: there is none simpler among those that were tried, until `end` at most.
std::optional<Simplified> simplify(Examiner& examiner, std::span<const wire::Step> steps,
                                   const wire::Result& result, pool::Pool::Clock::time_point end);

}  // namespace heddle::session
