// Values of options that only heddle compare has.
#pragma once

#include <string>
#include <vector>

namespace heddle::options {

// "auto,random": all known, none twice. Throws UserError.
std::vector<std::string> parse_strategies(const std::string& text);

// A file whose name ends with .svg or .html. Throws UserError.
std::string parse_plot(const std::string& text);

}  // namespace heddle::options
