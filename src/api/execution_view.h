// heddle::Execution over an execution of the search, and the user's priority function behind the
// search's interface.
#pragma once

#include "explore/priority/user.h"
#include "heddle/heddle.h"

namespace heddle {

explore::UserFunction user_function(Options::Priority function);

}  // namespace heddle
