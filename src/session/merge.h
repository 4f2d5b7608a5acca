// heddle merge: parts of a search become one report.
#pragma once

#include <string>
#include <vector>

#include "options/options.h"
#include "report/summary.h"

namespace heddle::session {

// `passed` only if all parts are there, are of the same search, and are complete. Throws UserError:
// a file cannot be read, or is of another search; or nothing has failed, and a part is missing, or
// the parts have not been searched with the same racing places.
report::Summary merge(const std::vector<std::string>& files, const Options& options);

}  // namespace heddle::session
