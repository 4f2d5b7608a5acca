// --suppress: the file of failures that are known.
#pragma once

#include <string>

#include "trace/suppressions.h"

namespace heddle::options {

// Throws UserError: there is no such file, or a line of it is wrong.
trace::Suppressions read_suppressions(const std::string& path);

}  // namespace heddle::options
