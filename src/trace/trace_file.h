// A finding with its trace, in a file beside its schedule: whoever only wants to look at it, a
// report or a script, then executes nothing.
//
// A line of text that says what it is, and then bytes, compressed (trace/compressed_file.h). It is
// read by the version of Heddle that wrote it; a schedule file is for all.
#pragma once

#include <string>
#include <vector>

#include "trace/evidence.h"
#include "trace/finding.h"
#include "trace/source_text.h"

namespace heddle::trace {

struct TraceFile {
  Finding finding;
  std::vector<wire::Step> steps;      // all of the execution
  Modules modules;                    // that resolve the addresses of the steps
  std::vector<SourceText> sources{};  // as they were when the failure was found
  // The twins of Finding::twin: the execution that passes, and the one that fails, if that is not
  // the finding's own.
  std::optional<Finding> passing{};
  std::optional<Finding> failing{};
};

// "heddle-out/philosophers-1.trace" beside "heddle-out/philosophers-1.heddle", and back.
std::string trace_beside(const std::string& schedule);
std::string schedule_beside(const std::string& trace);
bool is_trace_path(const std::string& path);

// Throws std::runtime_error.
void write_trace_file(const std::string& path, const TraceFile& file);
// Throws UserError: there is none, it is something else, it is damaged, it is of another version;
// and to replay `schedule` instead.
TraceFile read_trace_file(const std::string& path, const std::string& schedule);

}  // namespace heddle::trace
