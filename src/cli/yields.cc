// heddle yields: where threads conflict, and a yield point would stand.
#include "cli/survey.h"
#include "options/options.h"

namespace heddle::cli {

int yields(const Words& words) {
  return run_survey({"yields", options::kYields, 1000, session::sight_conflicts,
                     report::yields_text, report::yields_json, report::yields_exit_code},
                    words);
}

}  // namespace heddle::cli
