// A test that is not repeatable: which step is the first that differs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "explore/search.h"
#include "report/summary.h"
#include "session/examiner.h"
#include "wire/layout.h"

namespace heddle::session {

// A run, with the modules that resolve its addresses.
struct TracedRun {
  std::span<const wire::Step> steps;
  const trace::Modules& modules;
};

// The first step at which two runs differ; nullopt if the shorter is the beginning of the longer.
std::optional<uint32_t> first_difference(std::span<const wire::Step> a,
                                         std::span<const wire::Step> b);

// Two runs of the same schedule that should be the same and are not.
report::Unrepeatable compare_runs(const TracedRun& expected, const TracedRun& found,
                                  uint64_t execution);

// An execution of the search did not follow the prefix that its schedule shares with another's.
report::Unrepeatable explain_divergence(Examiner& examiner, const pool::Planner& planner,
                                        const explore::Occurrence& what);

}  // namespace heddle::session
