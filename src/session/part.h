// What one of several parts of a search leaves behind (--shard), for heddle merge: a file with its
// report, the fingerprints and states that were seen, and the schedules of its failures.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "explore/distinct.h"
#include "explore/search.h"
#include "explore/state_set.h"
#include "report/summary.h"
#include "session/campaign_state.h"
#include "session/saver.h"
#include "session/subject.h"

namespace heddle::session {

// A failure, as the files that were written of it.
struct PartFinding {
  uint64_t key = 0;
  uint64_t execution = 0;
  std::string name;      // of the schedule file, without folders; empty: none was written
  std::string schedule;  // what is in it
  std::string trace;     // in the trace file beside it
  wire::Failure kind{};  // for one without files
  std::string message;
};

struct Part {
  std::string path;   // of the file
  Identity identity;  // of program, arguments and options; without the part, and without folders
  Identity modules;   // by name, without folders; empty: no execution has ended
  std::vector<uint64_t> racing;
  std::vector<std::string> racing_places;
  bool held_back = false;  // its bound has kept schedules out
  bool has_gap = false;    // an execution did not show all that could come after it
  explore::CommonCounts common;
  explore::DistinctCounter distinct;
  explore::StateSet states;
  std::vector<PartFinding> findings;
  report::Summary summary;  // without findings, and what a tree took in memory
};

struct PartSource {
  const Subject& subject;
  const Options& options;
  const Identity& identity;
  const Identity& modules;
  const CampaignState& state;
  const explore::Strategy& strategy;
};

Part part_of(const PartSource& source, explore::Search& search, const report::Summary& summary);
// As bytes, and back.
void put_part(explore::ByteWriter& out, Part& part);
Part get_part(explore::ByteReader& in);

// Writes the files of failures, which others have found, into the directory; as they are told.
std::vector<trace::Finding> write_findings(const std::vector<PartFinding>& findings,
                                           const std::string& directory);

// One of a run before this one would not be told from its own.
void remove_part(const Subject& subject, const Options& options);

// Writes the file. The summary is then that of a part, which covers nothing by itself; it says
// where the file is, or why it was not written.
void leave_part(const PartSource& source, explore::Search& search, report::Summary* summary);

// Throws UserError.
Part read_part(const std::string& path);

}  // namespace heddle::session
