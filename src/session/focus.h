// --focus-method and --focus-var: where a search is to look first.
#pragma once

#include <string>
#include <vector>

#include "options/options.h"
#include "session/subject.h"

namespace heddle::session {

// The priority functions that mean nothing without further options, as far as these are given:
// "method", "var" and "user".
std::vector<std::string> asked_for(const Options& options);

// The order of a search: --order, or else those functions and then the strategy's own. Throws
// UserError if one does not fit the other.
std::vector<std::string> order_of(const Options& options, const std::string& default_order);

// Finds what Options::focus_methods and focus_variables name, in the modules of the program as it
// stands after the default schedule, which is run once for that. Throws UserError for a name that
// means nothing.
trace::Focus find_focus(const Subject& subject, const Options& options);

}  // namespace heddle::session
