// What a worker tells of a subtree that it has searched by itself: its report (wire/subtree.h), as
// it came, and checked like all that comes from a worker (received.h).
#pragma once

#include <span>

#include "wire/layout.h"
#include "wire/subtree.h"

namespace heddle::causality {

// The spans point to the report's bytes.
struct Subtree {
  wire::SubtreeReport report{};
  std::span<const wire::SubtreeFailures> failures;
  std::span<const uint64_t> fingerprints;
  std::span<const wire::Decision> decisions;
  std::span<const wire::SubtreeEntry> entries;
  std::span<const char> states;

  // The bytes are a report, by their number.
  bool read(std::span<const char> bytes);

  // The next of the states: the number of its execution among those that are counted, from 1; and
  // its records. `rest` begins as `states`, and goes on behind them. False: there are none, or it
  // is none.
  static bool next_states(std::span<const char>* rest, uint32_t* execution,
                          std::span<const char>* records);
};

// Whether this can be the report of a worker: all that names a step, a choice or an execution.
bool is_sensible(const Subtree& subtree);

// Whether schedules can wait so, with these decisions: the worker's rest of a subtree, or one that
// was saved.
bool can_wait(std::span<const wire::Decision> decisions,
              std::span<const wire::SubtreeEntry> entries);

}  // namespace heddle::causality
