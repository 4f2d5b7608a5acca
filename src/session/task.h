// A task: what one machine runs of a search that goes on over many (src/machines). It is a search
// of some subtrees, as long as so many executions, and leaves over what waits then.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explore/bundle.h"
#include "explore/search.h"
#include "options/options.h"
#include "session/part.h"
#include "session/subject.h"

namespace heddle::session {

struct Task {
  explore::Bundle subtrees;    // none: all, from the root
  uint64_t executions = 0;     // at most
  uint32_t stage = 0;          // of those of the search: see StrategyRecord::staged
  std::vector<uint64_t> told;  // keys of failures that others have found
  // Called a few times a second. It may throw what is no std::exception: the task is given up.
  std::function<void()> beat;
};

struct TaskDone {
  Part part;
  explore::Bundle left_over;
  explore::SearchEnd end{};
  uint64_t first = 0;  // how its first execution went: a hash; 0: there is none
  Identity modules;    // with their paths on this machine; empty: no execution has ended
};

// An Interrupt must live. Throws UserError.
TaskDone run_task(const Subject& subject, const Options& options, const Task& task);

// How many stages the search with these options has.
uint32_t stages_of_tasks(const Options& options);

}  // namespace heddle::session
