// Object files that were compiled without the wrappers, as those are that a build has left behind:
// at the link nobody else would notice, and a search would not see what their code does.
#pragma once

#include <string>

namespace heddle::wrap {

// The content of a file is an object file with code, of which nothing is instrumented.
bool is_plain_object(const std::string& content);

}  // namespace heddle::wrap
