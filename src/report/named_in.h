// Whether a file of source code knows a name: by its text, and that of the files that it includes
// by their place beside it. It is no parser: where the name stands in a comment, it is known, too.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

bool is_named_in(const std::string& source, std::string_view name);

}  // namespace heddle::report
