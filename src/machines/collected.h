// What the coordinator has made of the results of tasks: Redis keeps it beside those that are not
// in it yet (SharedSearch::keep).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "report/summary.h"
#include "session/joined.h"

namespace heddle::machines {

// How a search over machines ends; none: it goes on.
enum class End { none, complete, failure, budget, interrupted, given_up };

struct Collected {
  session::Joined joined;  // of the results up to `last`
  uint64_t round = 0;
  uint32_t stage = 0;
  std::vector<uint64_t> racing;  // of the round
  uint64_t first = 0;            // how the round's first execution went: TaskDone::first
  uint64_t learning = 0;         // of the executions: those of rounds before it
  std::string last = "0";        // result of the round's stream
  uint64_t tasks = 0;            // of the round, whose results are in
  uint64_t all_tasks = 0;        // of all rounds
  double seconds = 0;
  std::set<uint64_t> found;  // of the places that race: those that are none of the round's

  void add(const session::Part& part);
  // All begins again, with the places that were found to race.
  void begin_again();
  // What the results so far mean for the search.
  End judged(bool keep_going) const;
  // All but what the coordinator itself knows.
  report::Summary summary(End end, bool is_staged) const;

  void save(explore::ByteWriter& out) const;
  void load(explore::ByteReader& in);
};

}  // namespace heddle::machines
