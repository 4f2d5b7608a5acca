// A subtree of the search as a job: a worker enumerates it by itself, depth first, execution after
// execution, and sends one report.
//
// The job is a Directive with `executions`. Behind it come the decisions that all schedules of the
// subtree may have in common, and then, as its hints: a SubtreeOrder, the schedules that wait, as
// SubtreeEntries (the last is the first to be run), and the keys of failures that are known, as
// words. The report stands in the digest's place: a SubtreeReport, and behind it its sections.
//
// A worker runs by itself what is ordinary: executions that end, within bounds, as executions do,
// or fail as others have failed. Before any other it stops: that one is the engine's. Where it
// stops is a function of the job alone.
#pragma once

#include <cstdint>

#include "wire/directive.h"

namespace heddle::wire {

// Schedules that wait: the first `depth` of the decisions, and at `step` each choice from `choice`
// to `last`. They lie on one way down the tree: those behind depart no earlier.
struct SubtreeEntry {
  uint32_t depth;
  uint32_t step;
  uint32_t check;  // the prefix's sequence hash before that step
  uint16_t choice;
  uint16_t last;
};
static_assert(sizeof(SubtreeEntry) == 16);

struct SubtreeOrder {
  uint32_t entries;
  uint32_t keys;
  uint32_t delays;  // bound; kNoBound: there is none
  uint32_t steps;   // it ends when it has made so many
};
static_assert(sizeof(SubtreeOrder) == 16);
inline constexpr uint32_t kWordsOfOrder = 2;  // of 8 bytes, like a decision
inline constexpr uint32_t kWordsOfEntry = 2;

inline constexpr uint32_t kMostOfSubtree = 4096;  // executions
inline constexpr uint32_t kMostSubtreeKeys = 32;
// Decisions, and words of entries, together: they fit into a job of a ring.
inline constexpr uint32_t kMostSubtreeWords = 3072;
inline constexpr uint32_t kMostSubtreeStates = 32768;  // bytes

enum class SubtreeEnd : uint32_t {
  complete,
  budget,   // Directive::executions, or SubtreeOrder::steps
  stopped,  // Directive::stop: it is to be run once more from its beginning
  special,  // the next execution is not an ordinary one
  lost,     // with its worker; made by the engine
};

struct SubtreeReport {
  uint64_t executions;  // with those that are not counted
  uint64_t all_steps;   // of these
  // Of those that are counted:
  uint64_t counted;
  uint64_t steps;
  uint64_t finished;
  uint64_t pruned;
  uint64_t set_back;      // see Result
  uint64_t counted_back;  // see Result::counted
  // Of all:
  uint32_t threads;
  uint32_t max_steps;
  uint32_t last_steps;  // of the last one
  SubtreeEnd end;
  uint32_t held_back;  // 1: there were options that the bound on preemptions does not permit
  // Sections, each a multiple of 8 bytes.
  uint32_t keys;          // SubtreeFailures, of each key of the job: of those that are counted
  uint32_t fingerprints;  // uint64_t: of all that are not pruned
  uint32_t decisions;     // Decision: of the last schedule, as far as the entries need them
  uint32_t entries;       // SubtreeEntry: what is left
  uint32_t state_bytes;   // SubtreeStates, each with its records: of those that are counted
};
static_assert(sizeof(SubtreeReport) % 8 == 0);

struct SubtreeFailures {
  uint64_t key;
  uint64_t failed;  // executions
};

// Declared states that no execution of the subtree before has visited.
struct SubtreeStates {
  uint32_t execution;  // which of those that are counted, from 1
  uint32_t bytes;      // of the StateRecords behind it
};

}  // namespace heddle::wire
