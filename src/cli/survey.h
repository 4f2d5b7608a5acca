// What the verbs that look for places of yield points have in common.
#pragma once

#include <string>

#include "cli/verbs.h"
#include "report/yield_places.h"
#include "session/place_survey.h"

namespace heddle::cli {

struct SurveyVerb {
  const char* name;
  unsigned verb;        // options::Verbs
  uint64_t executions;  // the budget, if none is given
  session::PlaceSurvey::Sight sight;
  std::string (*text)(const report::YieldReport& report);
  std::string (*json)(const report::YieldReport& report);
  int (*exit_code)(const report::YieldReport& report);
};

int run_survey(const SurveyVerb& verb, const Words& words);

}  // namespace heddle::cli
