// heddle replay --gdb: a schedule in the debugger.
//
// It is replayed first, as ever: that tells what is to happen, in the words of the report. Then gdb
// takes the place of this process, with share/heddle/heddle_gdb.py in it, and starts the program
// by way of this command (start_debugged), so that it has the environment, arguments and directory
// that a replay gives it. What is handed over lies in memory files, which all of them inherit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "options/options.h"
#include "session/replay.h"
#include "session/subject.h"

namespace heddle::session {

// The first word of the command line by which gdb starts the program; the number of
// DebuggerFiles::launch is the second. Nobody types it.
inline constexpr char kStartDebugged[] = "start-debugged";

class DebuggerFiles {
 public:
  DebuggerFiles();  // empty ones
  DebuggerFiles(int region_fd, int story_fd) : region(region_fd), story(story_fd) {}

  int region = -1;  // of the execution: pool/debugged.h
  int story = -1;   // what the debugger tells of it: JSON
  int launch = -1;  // the program's path, directory, arguments and environment
};

// What gdb is to be told by the user: all that can be wrong with that is said before anything is
// run. Throws UserError.
struct DebuggerCommand {
  DebuggerCommand(const Options& options, std::vector<std::string> arguments);
  std::string gdb;               // its path
  std::filesystem::path folder;  // of heddle_gdb.py
  std::vector<std::string> arguments;
};

// Whether there is an execution to look at; else the report says why not.
bool can_be_debugged(const Replayed& replayed);

// Fills region and story. `path` is that of the schedule.
void write_debugged(const Replayed& replayed, const Subject& subject, const std::string& path,
                    const DebuggerFiles& files);

// Gdb takes the place of this process. `environment` is the program's.
[[noreturn]] void start_gdb(const DebuggerCommand& command, const Subject& subject,
                            std::vector<std::string> environment, DebuggerFiles files);

// The program takes the place of this process, which gdb has started.
[[noreturn]] void start_debugged(const std::vector<std::string>& words);

}  // namespace heddle::session
