// A directive: what an execution is asked to do. A plan of the search is one (pool/plan.h), a job
// in the ring is one (wire/layout.h), and so is a run that is to be repeated (session/examiner.h):
// what is added here is known to all three.
#pragma once

#include <cstdint>

namespace heddle::wire {

inline constexpr uint32_t kNoThread = 0xffffffff;
inline constexpr uint32_t kNoStep = 0xffffffff;
inline constexpr uint32_t kNoBound = 0xffffffff;

// In a schedule file, and in most jobs, a decision is a number in the order of options. A search
// with reduction names threads instead, and can put threads to sleep: they are passed over until
// another thread's step depends on what they would do (sleep sets).
struct Decision {
  static constexpr uint32_t kThread = uint32_t{1} << 31;
  static constexpr uint32_t kSleep = uint32_t{1} << 30;
  static constexpr uint32_t kWish = uint32_t{1} << 29;  // with kThread: if the thread can go

  uint32_t step;
  uint32_t choice;  // never 0: the default is not written down

  static Decision of_thread(uint32_t step, uint32_t thread, uint32_t outcome) {
    return {step, kThread | thread << 8 | outcome};
  }
  static Decision wish(uint32_t step, uint32_t thread, uint32_t outcome) {
    return {step, kThread | kWish | thread << 8 | outcome};
  }
  static Decision sleep(uint32_t step, uint32_t thread) { return {step, kSleep | thread << 8}; }
  bool names_thread() const { return (choice & kThread) != 0; }
  bool is_wish() const { return (choice & kWish) != 0; }
  bool is_sleep() const { return (choice & kSleep) != 0; }
  uint32_t thread() const { return choice >> 8 & 0xffff; }
  uint32_t outcome() const { return choice & 0xff; }
};
static_assert(sizeof(Decision) == sizeof(uint64_t));
// Threads that can be put to sleep: those with a number below this one.
inline constexpr uint32_t kSleepers = 64;

// Who decides where the schedule is silent.
enum class Decider : uint8_t {
  follow,   // nobody: the default behaviour
  uniform,  // chance, all threads alike
  pct,      // priorities that change a few times (decide/pct.h)
  pos,      // a priority for each operation, anew after each that it depends on (decide/pos.h)
  surw,     // interleavings of the operations on one object alike (decide/surw.h)
  rf,       // pos, along reads from certain writes (decide/rf.h)
  descend,  // to the end, or until chance says that it is enough (decide/descend.h)
  guide,    // along a route (decide/guide.h)
};

// Who is nearer to the next place of a route.
enum class Toward : uint64_t {
  distance,  // by the program's control flow
  chance,
  threads,  // those that were named, and then the others
};

// How a descent chooses among threads.
enum class DescentOrder : uint64_t {
  by_thread,       // those that were created first
  by_chance,       //
  other_than_last  // the running thread last
};

enum DirectiveFlags : uint32_t {
  kWantSteps = 1,  // send the steps from first_step on (a failing execution always sends them all)
  kDetail = 2,     // record stacks and values, and capture the output
  kDecisionsInArea = 4,  // the decisions are in the decision area, not behind the job
  kWantPending = 8,   // send all steps, and what the living threads would have done next, as steps
  kWantOptions = 16,  // send the threads of the options of each step
  // What is to be observed, from first_step on: see causality/observation.h.
  kObserveBranches = 32,
  kWeigh = 64,  // by partial order: needs pending ones and options
  kObserveReversals = 256,
  // The worker may look itself, and send a digest instead of steps, pending ones and options.
  kWorkerLooks = 512,
  kCycleIsProved = 128,    // by another run: `cycle` need not be shown again
  kMustBeFeasible = 1024,  // what cannot go as its script says is a failure: Failure::unmet
  kNoteReads = 2048,       // note what was read from where: see decide/rf.h
  kNoteStates = 4096,      // note which states it has come through: see record/state_keys.h
  kNoteRanks = 8192,       // note how near to its place everybody was: see decide/guide.h
  // Its children, in the place of reversals, if they can be told: see causality/lineage.h.
  kObserveLineage = 16384,
};

struct Directive {
  uint64_t seed;   // of the decider
  uint32_t flags;  // DirectiveFlags
  Decider decider;
  uint8_t unused[3];
  uint32_t parameter;       // of the decider: what it means is the decider's own
  uint32_t decision_count;  // so many Decisions come with it, by rising step, and then the hints
  uint32_t first_step;      // of the steps that are wanted, and from which on it is observed
  // kNoStep, or: before this step the sequence hash's low half must be `check`.
  uint32_t check_step;
  uint32_t check;
  uint32_t limit;  // an execution that makes so many steps will never end; kNoStep: there is none
  // … since its last so many steps repeat for ever, which is to be shown; 0: who knows.
  uint32_t cycle;
  // What is observed is within these: on preemptions, and steps from `depth` on are not varied.
  uint32_t bound;
  uint32_t depth;
  // Of the decisions the last so many are hints: words for the decider, which knows what they mean.
  uint32_t hint_count;
  // Of a decider that goes by chance: after so many steps the default behaviour decides, under
  // which executions end as they usually do. 0: never.
  uint32_t patience;
  // 0: one execution. Else it is a subtree (wire/subtree.h), of which at most so many are run. The
  // first `skipped` are not counted, and with `stop` not 0 it ends after so many.
  uint32_t executions;
  uint32_t skipped;
  uint32_t stop;
};
static_assert(sizeof(Directive) == 72);

// To run by default, and to say nothing but the result. A Directive has no defaults of its own: the
// runtime keeps one in memory that nobody initialises.
constexpr Directive plain_directive() {
  Directive plain{};
  plain.check_step = kNoStep;
  plain.limit = kNoStep;
  plain.bound = kNoBound;
  plain.depth = kNoStep;
  return plain;
}

}  // namespace heddle::wire
