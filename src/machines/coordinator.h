// heddle run --on: the search is put into Redis, and what machines find of it is collected.
//
// Each round begins here, with the first executions from the root; what waits then is dealt out as
// tasks. Redis has the truth: what this process knows is what it has read there. So it may die, and
// after a connection that was lost it reads everything again, for the server may have been started
// again, and have forgotten the last second.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "options/options.h"
#include "report/summary.h"
#include "session/subject.h"

namespace heddle::machines {

// `given`: the options by name, as typed. An Interrupt must live. Throws UserError.
report::Summary run_on_machines(const session::Subject& subject, const session::Options& options,
                                const std::vector<std::pair<std::string, std::string>>& given);

}  // namespace heddle::machines
