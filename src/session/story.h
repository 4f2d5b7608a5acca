// What a debugger tells of an execution: its threads, steps and preemptions in the words of
// reports, as JSON for share/heddle/heddle_gdb.py.
#pragma once

#include <string>

#include "session/replay.h"

namespace heddle::session {

std::string story_of(const Replayed& replayed, const std::string& program,
                     const std::string& schedule);

}  // namespace heddle::session
