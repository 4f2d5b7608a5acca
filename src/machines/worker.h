// heddle worker: takes tasks of searches that are in Redis, runs them, and gives back what they
// have found and what is left over.
#pragma once

#include "options/options.h"

namespace heddle::machines {

// Until there was nothing to do for as long as --idle says, or an interrupt. Returns the exit code.
// An Interrupt must live. Throws UserError.
int work(const options::Options& options);

}  // namespace heddle::machines
