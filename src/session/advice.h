// What to type next, after a search that has not come to its end: from what it has seen.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "options/options.h"
#include "report/summary.h"
#include "session/switches.h"

namespace heddle::session {

// What the summary does not know of a search.
struct Situation {
  uint32_t processors = 1;
  bool is_saved = false;                            // --resume goes on with it
  bool has_google_test = false;                     // the program: see has_google_test()
  std::vector<std::string> spins;                   // places of loops that wait for others
  std::optional<Switches> switches = std::nullopt;  // where most schedules differ
};

// At most three sentences, the most useful first; none, unless the search is incomplete.
std::vector<std::string> advice_on(const report::Summary& summary, const Options& options,
                                   const Situation& situation);

// Whether GoogleTest is in the file of a program.
bool has_google_test(const std::string& path);

// The same, from what there is when the search has ended.
void advise(const std::string& program, bool is_saved, const Options& options,
            const std::function<std::optional<Switches>()>& switches, report::Summary* summary);

}  // namespace heddle::session
