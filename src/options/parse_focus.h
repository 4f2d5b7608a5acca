// The names of --focus-method, --focus-var and --through.
#pragma once

#include <string>
#include <vector>

namespace heddle::options {

// "Port<int, long>::push,pop": the commas of template arguments are part of a name. Throws
// UserError if there is none.
std::vector<std::string> parse_focus(const char* option, const std::string& text);

}  // namespace heddle::options
