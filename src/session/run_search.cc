#include "session/run_search.h"

#include "base/error.h"
#include "session/campaign.h"

namespace heddle::session {

report::Summary run_search(const Subject& subject, const Options& options, Onlooker* onlooker,
                           Series* series) {
  if (options.on.is_given()) {
    throw UserError("--on is for heddle run; a check in a program is not shared: leave it out");
  }
  Campaign campaign(subject, options, onlooker, series);
  if (options.resume) campaign.resume();
  return campaign.run();
}

}  // namespace heddle::session
