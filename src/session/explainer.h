// Explains a failure by running more: the simplest schedule that leads to it, its critical step,
// and its twins. What was found out is kept as schedules and numbers, so that it can be saved with
// the search; what is told of it comes from closer looks.
#pragma once

#include <optional>

#include "options/options.h"
#include "session/critical.h"
#include "session/examiner.h"
#include "session/simplifier.h"
#include "session/subject.h"
#include "session/twin.h"
#include "trace/trace_file.h"

namespace heddle::session {

// In steps: what may be spent on one failure, and on all those of a search. See docs/reports.md.
inline constexpr uint64_t kExplaining = 4'000'000;
inline constexpr uint64_t kMostExplaining = 4 * kExplaining;

struct Explanation {
  Cost found;  // of the execution that the search has found
  bool is_simplified = false;
  bool fewest = false;
  struct Step {
    bool some_pass = false;
    uint32_t step = 0;
    uint64_t tried = 0;
    bool all = false;
  };
  std::optional<Step> critical;
  struct Runs {
    uint32_t step = 0;
    bool adjacent = false;
    Rerun passing;
    std::optional<Rerun> failing;
  };
  std::optional<Runs> twins;
};
void put_explanation(explore::ByteWriter& out, const Explanation& explanation);
Explanation get_explanation(explore::ByteReader& in);

class Explainer {
 public:
  // All must outlive it; the examiner runs what is not to be shown, too.
  Explainer(const Subject& subject, const Options& options, Examiner* examiner);

  // `run`: the failing execution, with all of its steps; in the end the simplest that was found.
  // Takes what it spends off `left`, and stops at `end`, with which the search's seconds end.
  Explanation explain(KnownRun* run, uint64_t* left, Budget::Clock::time_point end);

  // Into the finding, and into its trace file. `evidence` is of the finding's closer look.
  void tell(const Explanation& explanation, const trace::Evidence& evidence,
            trace::TraceFile* found);

 private:
  bool look_at_twins(const Explanation::Runs& twins, const trace::Evidence& evidence,
                     trace::TraceFile* found);

  const Options& options_;
  Examiner& examiner_;
  std::optional<Examiner> silent_;  // where the other lets the program write to the terminal
};

}  // namespace heddle::session
