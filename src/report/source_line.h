// One line of the user's source, to be shown beside its place.
#pragma once

#include <string>

#include "trace/finding.h"

namespace heddle::report {

// Trimmed, and cut to a width; empty if the file cannot be read.
std::string source_line(const trace::Place& place);

}  // namespace heddle::report
