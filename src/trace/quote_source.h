// What stands in the source at the places of a finding, as it is when the finding is made: whoever
// shows it later, from a file, need not have the source any more, nor the same.
#pragma once

#include "trace/finding.h"

namespace heddle::trace {

// Fills in Place::source of the user's place of each stack. Reads each file once.
void quote_source(Finding* finding);

}  // namespace heddle::trace
