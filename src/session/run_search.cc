#include "session/run_search.h"

#include "session/campaign.h"

namespace heddle::session {

report::Summary run_search(const Subject& subject, const Options& options, Onlooker* onlooker,
                           Series* series) {
  Campaign campaign(subject, options, onlooker, series);
  if (options.resume) campaign.resume();
  return campaign.run();
}

}  // namespace heddle::session
