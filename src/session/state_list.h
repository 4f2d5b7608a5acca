// The list of all states that a search has visited (--list-states): a line for each, in the order
// of first visit.
#pragma once

#include <string>

#include "explore/state_set.h"
#include "options/options.h"

namespace heddle::session {

// Throws UserError if the list is asked for and cannot be written.
void check_state_list(const Options& options);

// What went wrong, in words; empty if nothing did, or if nobody asks for the list.
std::string write_state_list(const Options& options, const explore::StateSet& states);

}  // namespace heddle::session
