// The value of --order: "mdpor,pb".
#pragma once

#include <string>
#include <vector>

namespace heddle::options {

// Names of priority functions, all known, none twice. Throws UserError, for an unknown one with the
// known ones and the nearest.
std::vector<std::string> parse_order(const std::string& text);

}  // namespace heddle::options
