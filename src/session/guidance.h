// heddle guide: whether what other tools warn of comes true.
//
// Each sequence of a warning is a route that the program is guided along. A warning is confirmed by
// a failure of its kind at its places; other failures are not held against it. A race elsewhere
// ends an execution before it comes to the one that was warned of: it is passed over, and the
// search begins again.
#pragma once

#include "options/options.h"
#include "report/guidance.h"
#include "session/subject.h"
#include "warnings/read.h"

namespace heddle::session {

// Throws UserError if none of the places is in the program.
report::Guidance guide(const Subject& subject, const Options& options,
                       const warnings::Reading& reading);

}  // namespace heddle::session
