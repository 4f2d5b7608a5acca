// Runs a schedule file: the same execution again, or the news that it leads elsewhere.
#pragma once

#include <optional>
#include <string>

#include "options/options.h"
#include "report/summary.h"
#include "session/examiner.h"
#include "session/subject.h"
#include "trace/schedule_file.h"

namespace heddle::session {

struct Replayed {
  report::Summary summary;
  bool changed = false;     // the program is not the one for which the schedule was made
  bool reproduced = false;  // the failure of the file came again, step by step
  bool fits = false;        // all of its decisions were taken as the file has them

  // For a debugger, which is to run the same once more.
  std::optional<Examined> examined;  // none: there was an interrupt
  Rerun rerun;
  Options options;
};

// The options under which the schedule was made; those that the user gives come on top.
Options replay_options(const trace::ScheduleFile& file, const std::string& path);

// An Interrupt must live. `path` names the file in the report. Throws UserError.
Replayed replay(const Subject& subject, const Options& options, const trace::ScheduleFile& file,
                const std::string& path);

// For people.
std::string replay_text(const Replayed& replayed, const Options& options);

}  // namespace heddle::session
