// What a campaign has come to so far, beside the search that is under way: it survives a search
// that begins again with more racing places, and is saved.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/summary.h"
#include "session/examiner.h"
#include "session/explainer.h"
#include "session/route.h"

namespace heddle::session {

// A finding, as it is saved: how to run it again, so that it can be told in full.
struct KeptFinding {
  uint64_t execution;
  uint64_t key;
  uint64_t racing;  // how many racing places were operations then
  std::string schedule_file;
  std::string stage;
  std::string sampler;
  Rerun rerun;
  Explanation explanation;
};

struct CampaignState {
  report::Summary summary;
  std::vector<KeptFinding> findings;       // those of the summary
  std::vector<uint64_t> racing;            // names of the racing places that are operations
  std::vector<std::string> racing_places;  // where they are
  std::vector<RacingPair> racing_pairs;    // what races with what, of those in the program
  std::vector<trace::ScriptPlace> script_places;
  double seconds = 0;  // of the searches before the one under way
  uint64_t explaining_left = kMostExplaining;
};

}  // namespace heddle::session
