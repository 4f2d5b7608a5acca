// Schedules of former failures, which are run before a search: --first.
//
// Each is run with the options under which it was found. It fails, passes, or does not fit the
// program any more, which may have changed since: a decision cannot be taken, or lets another
// thread go. A directory may hold schedules of other programs, of other arguments, and of other
// tests of the same program; a file that was named itself is taken for one of this test.
#pragma once

#include "report/summary.h"
#include "session/subject.h"

namespace heddle::session {

// Into `summary`: counts, and a finding for each failure that is not like another. An Interrupt
// must live. Throws UserError: a directory cannot be read, or a file is no schedule.
void run_former(const Subject& subject, const Options& options, report::Summary* summary);

}  // namespace heddle::session
