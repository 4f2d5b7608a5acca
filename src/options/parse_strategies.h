// Names of strategies and samplers, and where a comparison of them is plotted.
#pragma once

#include <string>
#include <vector>

namespace heddle::options {

// "auto,random": all known, none twice. Throws UserError.
std::vector<std::string> parse_strategies(const std::string& text);
// "rf,pos", or "none".
std::vector<std::string> parse_samplers(const std::string& text);

// A file whose name ends with .svg or .html. Throws UserError.
std::string parse_plot(const std::string& text);

}  // namespace heddle::options
