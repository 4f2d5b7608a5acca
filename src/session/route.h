// --through: where the places of a guided search are, and how far it is to them.
#pragma once

#include "options/options.h"
#include "session/subject.h"

namespace heddle::session {

// Finds what Options::through names, in the modules of the program as it stands after the default
// schedule, which is run once for that. Throws UserError for a place that means nothing, or at which
// nothing can be seen.
trace::Route find_route(const Subject& subject, const Options& options);

}  // namespace heddle::session
