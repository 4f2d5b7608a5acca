// An observation as bytes: the digest of an execution, which a worker that has looked at it itself
// sends in the place of its steps. Written and read in one place, causality/digest.cc.
//
// A Digest, and then its sections in the order of `Section`, each with as many records as the head
// says, filled up to a multiple of 8 bytes. What else an observation is to hold one day is a
// further section: its records here, a line in digest.cc that writes them, and one that checks
// them.
#pragma once

#include <cstdint>

#include "wire/kinds.h"
#include "wire/layout.h"

namespace heddle::wire {

inline constexpr uint32_t kMaxDigestBytes = 1 << 16;
// What a digest says of each reversal is about all threads: there are no more than this.
inline constexpr uint32_t kMaxDigestThreads = 16;

// A step at which the execution could have gone another way.
struct Fork {
  uint32_t step;
  uint32_t check;          // wire::Step::check
  uint32_t preemptions;    // before it
  uint16_t thread;         // that made it
  uint16_t thread_before;  // that made the one before
  uint8_t may_go_on;       // 1: that one could have gone on
  uint8_t unused[3];
  uint32_t unused_too;
};
static_assert(sizeof(Fork) % 8 == 0);

// A step that had more than one option within the bounds.
struct Branch {
  uint32_t step;
  uint32_t check;         // wire::Step::check
  uint32_t preemptions;   // before it
  uint16_t options;       // within the bounds
  uint16_t free_options;  // as in wire::Step
  uint16_t choice;
  uint16_t unused;
  uint32_t first_option;  // so many options had all steps before it
};
static_assert(sizeof(Branch) % 8 == 0);

// What partial order says of an option of a branch. The lower bits are a causality::Worth; kAsleep:
// sleep sets would leave it out, and it is a preemption.
using Way = uint8_t;
inline constexpr Way kWorthMask = 3;
inline constexpr Way kAsleep = 4;

// A step whose operation had several outcomes.
struct OpenStep {
  Fork fork;
  uint16_t outcome;
  uint16_t outcomes;
  uint32_t unused;
};
static_assert(sizeof(OpenStep) % 8 == 0);

// Another thread that could have gone at a step of which a test script has decided.
struct Alternative {
  Fork fork;
  uint16_t thread;
  uint16_t unused;
  uint32_t unused_too;
};
static_assert(sizeof(Alternative) % 8 == 0);

// A race to be reversed: at its first step a thread is to be scheduled that leads to that.
struct Reversal {
  Fork fork;
  uint64_t initials;       // threads, a bit for each: see causality::Races::is_initial
  uint64_t weak_initials;  // and is_weak_initial
  uint16_t thread;         // the one to be scheduled, unless another will do
  uint8_t outcome;         // of what it then did
  uint8_t conservative;    // see causality::Race
  uint16_t first_wakeup;   // of its wakeup sequence: where to go from there
  uint16_t wakeup_count;
};
static_assert(sizeof(Reversal) % 8 == 0);

// A step of a wakeup sequence that the default would not make by itself.
struct WakeupStep {
  uint32_t step;
  uint16_t thread;
  uint16_t outcome;
};
static_assert(sizeof(WakeupStep) % 8 == 0);

// Whether an execution's children were asked for, and could be told (causality/lineage.h). They
// stand among the reversals, without initials: at their fork these steps, and then the default.
enum class Lineage : uint8_t {
  none,       // nobody has looked
  told,       // these are its children
  redundant,  // it has none
  foreign,    // it cannot be told
};

enum class Section : uint8_t {
  branches,      // Branch, by rising step
  ways,          // Way: of each branch, from option 1 on
  open_steps,    // OpenStep, by rising step
  reversals,     // Reversal, in the order in which they are to be looked at
  wakeup,        // WakeupStep, of all reversals
  alternatives,  // Alternative, by rising step
};
inline constexpr uint32_t kSections = 6;

struct Digest {
  uint64_t sequence;  // of the execution that it is of: wire::Result
  uint32_t counts[kSections];
  uint32_t preemptions;   // before the first step that was looked at
  uint32_t end;           // steps from this one on were not looked at for branches
  uint8_t held_back;      // 1: there were options that the bound on preemptions does not permit
  uint8_t has_reversals;  // 1: all that the execution shows; else nobody has looked for them
  Op last_op;             // of the last step, where reversals were looked for
  uint8_t misses_alternatives;  // 1: there were more options than are sent (kMaxOptions)
  Lineage lineage;
  Fork last;  // that step
};
static_assert(sizeof(Digest) % 8 == 0);

}  // namespace heddle::wire
