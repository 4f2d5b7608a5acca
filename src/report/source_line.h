// One line of the user's source, to be shown beside its place.
#pragma once

#include <string>

#include "trace/finding.h"

namespace heddle::report {

// Cut to a width, around the operation; empty if it is not known, or if there is no room for it.
std::string source_line(const trace::Place& place, size_t width);

}  // namespace heddle::report
