// What a search has come to, in the summary's words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/search.h"
#include "options/options.h"
#include "pool/evidence.h"
#include "report/summary.h"
#include "session/saver.h"

namespace heddle::session {

// The counts, and the size of the tree.
void fill_in(report::Summary* summary, explore::Search& search, const explore::Strategy& strategy);

// What ended the search, and the verdict. The budget is `limits`, of executions after the first
// `executions_before`, which are of runs that this one goes on from.
void conclude(report::Summary* summary, explore::SearchEnd end, const explore::Limits& limits,
              const explore::Counts& counts, uint64_t executions_before, const Options& options);

// Places where threads spin without a yield, and where they may; and what was not varied: each
// once.
void tell_notes(const std::vector<pool::Notes>& all, const Options& options,
                report::Summary* summary);

void tell_racing(std::vector<std::string> places, report::Summary* summary);

// Failures in a program of which no line is known.
void tell_lineless(report::Summary* summary);

// Inline assembly in the modules that touches memory.
void tell_assembly(const Identity& modules, report::Summary* summary);

}  // namespace heddle::session
