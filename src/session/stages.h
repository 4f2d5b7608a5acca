// Which searches a strategy is made of, and what the report tells of them.
//
// `auto` first runs the schedules with 0, 1 and 2 preemptions, bound by bound, in the order
// ss,mdpor: most bugs need no more (gambit, section 5). Then it covers the rest: all schedules,
// with partial-order reduction, in the order mdpor,pb. An option that bounds what is explored
// bounds all of it; one that reduction does not go with takes the reduction away.
#pragma once

#include <vector>

#include "explore/strategies.h"
#include "options/options.h"
#include "report/summary.h"

namespace heddle::session {

// The searches of the strategy one after the other; one, if it is not staged. `whole` is what the
// options make of a search that is not.
std::vector<explore::StrategyOptions> stages_of(const Options& options,
                                                const explore::StrategyRecord& record,
                                                const explore::StrategyOptions& whole);

// What the stages have come to, and what they cover. The summary's counts, and whether the search
// is complete, are there already.
void tell_stages(report::Summary* summary, const explore::Strategy& strategy);

// What an incomplete search has left, in all and in its last stage. The stages are there already.
void tell_remaining(report::Summary* summary, const explore::Strategy& strategy);

}  // namespace heddle::session
