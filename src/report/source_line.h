// One line of the user's source, to be shown beside its place.
#pragma once

#include <string>

#include "trace/finding.h"

namespace heddle::report {

// Cut to a width; empty if it is not known.
std::string source_line(const trace::Place& place);

}  // namespace heddle::report
