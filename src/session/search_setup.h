// From options to what is searched: the strategy, the searches that it is made of, and the budget.
#pragma once

#include <vector>

#include "explore/search.h"
#include "explore/strategies.h"
#include "options/options.h"
#include "report/summary.h"
#include "session/subject.h"

namespace heddle::session {

struct SearchSetup {
  const explore::StrategyRecord& record;
  std::vector<explore::StrategyOptions> stages;  // one, if it has no stages
  explore::StrategyOptions whole;                // what the options make of a search without stages
  explore::Limits limits;
};

// Throws UserError for options that do not fit each other.
SearchSetup setup_of(const Options& options);

// What the report says of a search before it has begun.
void describe_search(const Subject& subject, const Options& options, const SearchSetup& setup,
                     report::Summary* summary);

}  // namespace heddle::session
