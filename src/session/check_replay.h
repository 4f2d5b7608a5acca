// The replay of a schedule that a heddle::check has found. It needs the process around that check:
// `heddle replay` starts the test program plainly and tells it, through the environment, which
// schedule to run; the check of that number replays it and ends the process.
#pragma once

#include <optional>
#include <string>

#include "options/options.h"
#include "session/debugger.h"
#include "session/subject.h"

namespace heddle::session {

// Starts the program and returns its exit code. Throws UserError if it never came to the check.
int replay_check(const Subject& subject, const Options& options, const std::string& schedule);

// The same for --gdb: gdb takes the place of this process. Returns the exit code if there is
// nothing to debug.
int debug_check(const DebuggerCommand& command, const Subject& subject, const Options& options,
                const std::string& schedule, const DebuggerFiles& files);

// What heddle::check finds in the environment.
struct CheckReplay {
  std::string schedule;  // absolute path
  std::string options;   // for parse_option_text
  int done_fd;           // one byte goes here when the check begins its replay
  // Of a DebuggerFiles. With a story: fill both. Without: a debugger has started this process,
  // which is to run the job of the region. Negative: there is no debugger.
  int region_fd;
  int story_fd;
};
std::optional<CheckReplay> requested_check_replay();

}  // namespace heddle::session
