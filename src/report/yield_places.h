// What `heddle yields` and `heddle cooperative` have to tell: places in the source where a yield
// point is missing, each with what was seen there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/summary.h"

namespace heddle::report {

struct SeenStep {
  std::string thread;     // "T1"
  std::string operation;  // "lock mutex m"
  std::string location;   // "queue.h:41"
};

// Steps that tell why, and in how many executions they were seen. Thread and object are those of
// the first.
struct YieldCase {
  // Of a conflict: the one here, and the one that it conflicts with. Of an interference: the two
  // between which others came, the second of them here; what came after the first and depends on
  // it; and what came before the second, which depends on it.
  std::vector<SeenStep> steps;
  bool race = false;  // of plain accesses
  uint64_t executions = 0;
};

struct YieldPlace {
  std::string location;  // "queue.h:41"
  std::string file;      // as the compiler wrote it; empty if it is not known
  int line = 0;          // 0: not known
  std::string function;
  bool race = false;
  uint64_t executions = 0;       // in which there was one of the cases
  std::vector<YieldCase> cases;  // not empty; the most frequent first
};

// What to type: HEDDLE_YIELD("Queue::push:41").
std::string yield_call(const YieldPlace& place);

// By rank: races first, then those that were seen in most executions.
void rank(std::vector<YieldPlace>* places);

struct YieldReport {
  Summary summary;
  uint64_t looked_at = 0;  // executions: those that were not cut short as redundant or discarded
  std::vector<YieldPlace> places;
};

// All of it for people; ends with a line that says what it rests on.
std::string yields_text(const YieldReport& report);
std::string cooperative_text(const YieldReport& report);
// One object as in the manual.
std::string yields_json(const YieldReport& report);
std::string cooperative_json(const YieldReport& report);
// Failures do not count: a failing execution has conflicts as any other.
int yields_exit_code(const YieldReport& report);
int cooperative_exit_code(const YieldReport& report);

}  // namespace heddle::report
