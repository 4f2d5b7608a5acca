// heddle cooperative: whether the yield points of a program are enough.
#include "cli/survey.h"
#include "options/options.h"

namespace heddle::cli {

int cooperative(const Words& words) {
  return run_survey(
      {"cooperative", options::kCooperative, 10'000, session::sight_interference,
       report::cooperative_text, report::cooperative_json, report::cooperative_exit_code},
      words);
}

}  // namespace heddle::cli
