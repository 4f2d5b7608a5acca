// Schedule files: the decisions that lead a program to its failure, as versioned text.
//
//   heddle schedule 1
//   program /home/ada/philosophers
//   directory /home/ada
//   build-id 3fa4…                 hexadecimal; missing if the program has none
//   argument "b c"                 one line for each
//   option accesses sync           one line for each option that shapes an execution
//   check 2                        ordinal of the heddle::check that it belongs to; missing for a
//                                  program
//   failure deadlock philosophers.cc:17
//   steps 33
//   cycle 8                        of a livelock: the last 8 repeat for ever; else missing
//   sequence 5f3a9c0e12345678      of the steps in their order: wire::Result::sequence
//   decisions 2
//   12 1 thread 2                  step, choice, and the path of the thread that it lets go
//   15 3 thread 1.1
//   end 9d1c0a7753e2fb10           checksum of all lines above that are neither empty nor comments
//
// Lines that begin with # are comments, wherever they stand. A value that would not survive as
// plain text is written as a JSON string; bytes that are not UTF-8 stand in it as they are. A file
// that was edited on purpose ends with `end unchecked`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "trace/finding.h"

namespace heddle::trace {

inline constexpr int kScheduleVersion = 1;

struct ScheduleFile {
  std::string program;    // absolute
  std::string directory;  // in which it was run
  std::string build_id;   // hexadecimal; empty if it has none
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> options;  // name without dashes, value
  std::optional<uint32_t> check;
  std::string failure;   // kind: "deadlock"
  std::string location;  // "philosophers.cc:17"; may be empty
  uint32_t steps = 0;
  uint32_t cycle =
      0;  // of a livelock: so many steps, the last ones, repeat for ever; 0: none is known
  uint64_t sequence = 0;
  std::vector<NamedDecision> decisions;  // by rising step

  Schedule schedule() const;
};

// The user's mistake: what() is "FILE:LINE: what is wrong; what to do".
class ScheduleFileError : public UserError {
 public:
  using UserError::UserError;
};

// Takes failure, location, steps, sequence and decisions from `finding`; the caller adds the rest.
ScheduleFile schedule_file_of(const Finding& finding);

std::string format_schedule(const ScheduleFile& file);
ScheduleFile parse_schedule(std::string_view text, const std::string& name);

// Writes all or nothing, and makes the directory if there is none. Throws UserError.
void write_schedule_file(const std::string& path, const ScheduleFile& file);
ScheduleFile read_schedule_file(const std::string& path);

}  // namespace heddle::trace
