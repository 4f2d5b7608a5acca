// The program after its default schedule, for options that name something in its code or its data.
#pragma once

#include <optional>

#include "options/options.h"
#include "session/examiner.h"
#include "session/subject.h"

namespace heddle::session {

// For an option that names code: throws UserError if the program's code cannot be seen.
void need_instrumented(const Options& options, const char* option);

// Runs it once, by the default schedule and with details, in a worker of its own: it is no
// execution of the search, and what it writes is not shown. nullopt: there was an interrupt.
std::optional<Examined> first_look(const Subject& subject, const Options& options);

}  // namespace heddle::session
