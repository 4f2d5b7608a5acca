// Searches of one program by several strategies, with equal budgets: what `heddle compare` does.
#pragma once

#include "options/options.h"
#include "report/comparison.h"
#include "session/subject.h"

namespace heddle::session {

// The options are those of `run`; each run ends with its first failure. With the first seed all
// strategies are run, then with the next, so that a busy machine hurts all of them alike; a
// strategy that has no use for a seed is run once. Of each different failure the first finding is
// saved. An Interrupt must live. Throws UserError.
report::Comparison compare(const Subject& subject, const Options& options);

}  // namespace heddle::session
