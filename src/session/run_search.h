// A whole search, from options to summary: what `heddle run` and heddle::check do, and whoever
// looks on.
#pragma once

#include "options/options.h"
#include "report/summary.h"
#include "session/onlooker.h"
#include "session/series.h"
#include "session/subject.h"

namespace heddle::session {

// An Interrupt must live. Throws UserError if the program cannot be put under control.
report::Summary run_search(const Subject& subject, const Options& options,
                           Onlooker* onlooker = nullptr, Series* series = nullptr);

}  // namespace heddle::session
