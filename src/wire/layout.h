// The memory that the engine and one worker share, byte for byte.
//
// One region for each worker, made by the engine as a memfd and mapped by both. Everything the
// engine needs after a worker has died in the worst way (kill -9, a wild write over its heap) is in
// here and nowhere else: the job it was at, the steps it had made, the results it had finished.
//
// clang-format off
//   engine                   nursery (the program,           worker (forked from it)
//                            stopped before main)
//   jobs ring  ------------------------------------------->  runs them in order
//   results ring  <----------------------------------------  one result for each job
//   death record  <--------  waits for the worker,
//                            tells how it died
// clang-format on
//
// Rules: plain data, fixed offsets, no pointers. Both sides check kMagic and kVersion. A field has
// one writer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wire/directive.h"
#include "wire/kinds.h"
#include "wire/places.h"

namespace heddle::wire {

inline constexpr uint64_t kMagic = 0x00656c6464656800;  // "\0heddle\0", little-endian
inline constexpr uint32_t kVersion = 34;

// The environment variable that tells a program that it is to run under control: the descriptor's
// number.
inline constexpr char kRegionVariable[] = "HEDDLE_WORKER_FD";
// How libheddle.so comes into a program that was not linked to it: first in this list.
inline constexpr char kPreloadVariable[] = "LD_PRELOAD=";

inline constexpr uint32_t kMaxThreads = 65535;  // created in one execution
inline constexpr uint32_t kMaxModules = 256;    // program and shared libraries
inline constexpr uint32_t kFrames = 24;         // innermost frames kept of a stack
inline constexpr uint32_t kDetailedSteps =
    4096;  // the last steps of an execution that have details, each with a stack of its own
inline constexpr uint32_t kEarlySteps = 1 << 17;  // those before them that have, from the first on
inline constexpr uint32_t kEarlyOfEndless = 1 << 14;  // … where it is known that there are millions
inline constexpr uint32_t kEarlyStacks = 1 << 14;     // different stacks of those
inline constexpr uint32_t kMaxNewRacing = 1024;       // places that one execution finds to race
inline constexpr uint32_t kMaxSpins = 256;            // places where threads spin without a yield
inline constexpr uint32_t kMaxNames = 1024;           // objects with names given by heddle::name
inline constexpr uint32_t kNameBytes = 64;            // of such a name, with the zero at its end
inline constexpr uint32_t kThreadNameBytes = 32;
inline constexpr uint32_t kStateBytes = 4096;               // of one declared state, at most
inline constexpr uint64_t kStateArea = uint64_t{64} << 20;  // of the states new in one execution

// Before a step the scheduler chooses among numbered options. Option 0 is the default behaviour.
// The order:
//   1. the running thread's own outcomes, if it is enabled and not giving way,
//   2. the other enabled threads by id, each with its outcomes, and then the running one if its
//   last step turned out to be a yield: a try in vain, a spin,
//   3. those that give way or let time pass (yield, sleep, a time-out), by deadline, the running
//   thread last.
//   4. with --spurious, the sleepers that may wake for no reason, by id; if they are all that is
//   left, there are none.
// The first `free_options` of them are no preemptions.
struct Step {
  uint16_t thread;  // order of creation in this execution, main is 0; ThreadDetail has the path
  uint16_t size;    // bytes that the operation is on, from `object` on; kManyBytes: see `second`
  Op op;
  uint8_t outcome;        // of the operation, where it is open; else 0
  uint16_t choice;        // the option taken
  uint16_t options;       // how many there were
  uint16_t free_options;  // the first so many are no preemption
  uint16_t outcomes;      // how many of the options are the thread's own: they follow each other
  uint16_t flags;         // StepFlags
  uint32_t check;         // low half of the sequence hash of all steps before this one
  uint32_t after;         // the step that created the thread or let it go; else kNoStep
  uint64_t object;        // the same in every process: see runtime/record/fingerprint.h
  // Another object that the operation changes, of one byte; 0: none. With kCopies it is read. Of an
  // operation on many bytes: how many.
  uint64_t second;
  uint64_t pc;  // raw, in the worker that ran it; Region::modules resolves it
};
static_assert(sizeof(Step) == 48);

inline constexpr uint16_t kManyBytes = 0xffff;
inline void set_bytes(Step* step, uint64_t bytes) {
  step->size = bytes < kManyBytes ? static_cast<uint16_t>(bytes) : kManyBytes;
  if (step->size == kManyBytes) step->second = bytes;
}

enum StepFlags : uint16_t {
  kOnlyReads = 1,    // a compare-exchange that failed
  kPassesTime = 2,   // a sleep or time-out took the thread's clock forward
  kCanProceed = 4,   // of a pending step: its thread could have gone next
  kInFocus = 8,      // a function in focus (Places) was on the thread's stack
  kVarInFocus = 16,  // its object is a variable in focus (Places)
  kTakes = 32,       // the thread took the mutex that the operation is on
  // A wait with a time limit, or a try: it could have been performed earlier, to another effect.
  kNeedNotWait = 64,
  // The step `after` has let a sleeper go that could have gone on by itself, at its time-out or for
  // no reason.
  kCouldWake = 128,
  kYields = 256,     // a yield of the program, that the fair scheduler has seen
  kSpins = 512,      // a spin, recognised: see runtime/filter/spin.h
  kRanked = 1024,    // somebody stood behind another when it was taken: see runtime/filter/fair.h
  kMayYield = 2048,  // it could have turned out to be a yield: a try, a read in a loop
  kCopies = 4096,    // `second` is read, and has as many bytes as the object
  kCounted = 8192,   // a yield because its thread had made Config::yield_after steps without one
};

// A directive on its way to a worker. Its decisions follow, or stand in the decision area.
struct Job : Directive {
  uint64_t id;
  uint64_t checksum;  // of this, of the decisions and of its place in the ring: wire/seal.h
};
static_assert(sizeof(Job) % 8 == 0);

struct Result {
  uint64_t job;
  uint64_t fingerprint;  // of the happens-before: equal for equivalent executions
  uint64_t sequence;     // of the steps in their order: equal for equal executions only
  uint64_t failure_key;  // equal for failures that are the same to a person: kind and place
  uint64_t pc;           // of the failure, raw
  uint64_t racing_key;   // of the places that race and are not in Places; 0: none does
  uint32_t step_count;
  uint32_t first_step;  // Steps [first_step, step_count) follow, or stand in the trace buffer
  uint32_t thread_count;
  uint32_t preemptions;
  uint32_t pending_count;  // that many more steps follow: what the living would have done next
  uint32_t option_count;  // and that many thread numbers, uint16_t: those of the options of step 0,
                          // of step 1, …; they may end early
  Ending ending;
  Failure failure;
  uint8_t steps_in_buffer;  // 1: the worker waits until Region::buffer_released is this job's id
  uint8_t unused;
  uint32_t state_bytes;   // and then StateRecords, so many bytes of them, or in the state area
  uint8_t set_back;       // 1: fair scheduling kept a thread from going that could have gone
  uint8_t is_subtree;     // 1: of a subtree; its report is in the digest's place: wire/subtree.h
  uint8_t overlaps;       // 1: operations are on objects that share some of their bytes
  uint8_t counted;        // 1: … since it had made Config::yield_after steps without a yield
  uint32_t digest_bytes;  // of wire/observation.h; with it no steps, pending ones and options
                          // follow
  uint32_t cycle;         // of a livelock: so many steps, the last ones, lead to where they began
  uint32_t transfers;     // that a script has made
  // And in the end so many words that the strategy has asked for: kNoteReads, kNoteStates.
  uint32_t note_count;
  uint32_t depth;  // choice points so far, where states are noted
  // See wire/seal.h.
  uint64_t checksum;   // of this, of the pending steps and the digest
  uint64_t step_seal;  // of the steps from `sealed_from` on, as far as they are sent
  uint64_t area_seal;  // of option numbers, states and notes
  uint32_t sealed_from;
  uint32_t unused_as_well;
};
static_assert(sizeof(Result) % 8 == 0);

// A state that the program has declared (heddle::state) and that this worker has not seen before.
// Its bytes follow, and zeros up to a multiple of 8.
struct StateRecord {
  uint32_t step;  // after which it was visited
  uint32_t size;  // of its bytes
};
constexpr uint64_t padded(uint64_t bytes) { return (bytes + 7) & ~uint64_t{7}; }

// A ring of records, one writer, one reader. A record is a uint64_t length (of all of it, a
// multiple of 8) and its body; length kWrap says that the next record is at the ring's start.
// Positions only grow; modulo capacity is the place.
struct Ring {
  static constexpr uint64_t kWrap = ~uint64_t{0};
  uint64_t offset;                             // of its bytes, from the region's start
  uint64_t capacity;                           // a power of two
  alignas(64) std::atomic<uint64_t> head;      // the reader's
  alignas(64) std::atomic<uint64_t> tail;      // the writer's
  alignas(64) std::atomic<uint32_t> sleeping;  // the reader sleeps on `bell`
  std::atomic<uint32_t> bell;
};

// A record longer than this does not go through a ring but through the area made for it.
inline constexpr uint32_t kInlineDecisions = 4096;
inline constexpr uint32_t kInlineSteps = 4096;  // with the pending ones
inline constexpr uint32_t kInlineOptions = 32768;
inline constexpr uint32_t kInlineStates = 32768;  // bytes
inline constexpr uint32_t kInlineNotes = 8192;
inline constexpr uint32_t kMaxOptions = 1 << 22;  // of which the threads are sent, in all
inline constexpr uint32_t kMaxNotes = 1 << 20;

// All yields count, but for those in loops that count their rounds: see runtime/filter/spin.h.
inline constexpr uint32_t kFairOn = 0xffffffff;

struct Config {
  Isolation isolation;
  Accesses accesses;
  Races races;
  uint8_t spurious;     // 1: events that come for no reason are outcomes, too
  uint8_t leaks;        // 1: what an execution has not freed in the end is a failure
  uint8_t show_output;  // 1: leave the program's output alone
  uint8_t in_process;   // 1: the region belongs to heddle::check, the nursery is forked from the
                        // test process
  GoodSamaritan good_samaritan;
  uint8_t learns_places;  // 1: effects that race become operations: see runtime/detect/racing.h
  uint8_t labels;         // 1: HEDDLE_YIELD is an operation, as it is in a script
  uint8_t debugged;       // 1: one execution, in the process that was started: runtime/debugger.h
  uint8_t last_retries;   // 1: of retry loops the last round alone: see runtime/record/retry.h
  uint32_t fair;          // every so manieth yield of a thread counts; 0: unfair; or kFairOn
  uint32_t spin_rounds;   // a loop that reads the same so often is taken for a spin
  uint32_t yield_after;   // a thread's so manieth step since its last yield is one
  // What an endless execution does in its last so many steps tells its kind; 0: none is told by its
  // length.
  uint32_t livelock_after;
  uint32_t least_observed;  // steps of an execution at which a worker looks itself
  uint64_t most_observed;   // its steps times its threads: see pool/observer.h
  uint32_t max_steps;
  uint32_t also_unused;
  uint64_t memory_bytes;  // the program's heap may grow so far
  int32_t capture_fd;     // where the output of a kDetail job goes
  int32_t engine_pid;
};

enum class NurseryState : uint32_t {
  starting,
  ready,        // the program stands before main
  refused,      // cannot be controlled: Region::refusal says why
  worker_dead,  // Region::death is filled; waits until the engine sets `proceed`
  proceed,      // the engine's answer: fork a new worker
};

struct Death {
  int32_t wait_status;  // as of waitpid
  uint32_t unused;
  uint64_t job;  // the one it was at; kNoJob if it was between jobs
};
inline constexpr uint64_t kNoJob = ~uint64_t{0};

struct Module {
  uint64_t base;   // load bias: run-time address minus address in the file
  uint64_t begin;  // first and one past the last mapped address
  uint64_t end;
  uint8_t build_id[20];
  uint32_t build_id_size;
  uint32_t instrumented;  // 1: compiled by the wrappers, in part at least
  uint32_t unused;
  char path[256];
};

struct Stack {
  uint32_t count;
  uint32_t unused;
  uint64_t pc[kFrames];  // innermost first; return addresses, except pc[0] of a fault
  uint64_t
      sp[kFrames + 1];  // of frame i at its call of frame i - 1; one more than frames; 0: unknown
};

// Where an operation is on a descriptor, the details have this in the place of an address: bit 62,
// which no address has, what it leads to, and its number.
constexpr uint64_t descriptor_address(Descriptor kind, uint32_t number) {
  return uint64_t{1} << 62 | static_cast<uint64_t>(kind) << 32 | number;
}
constexpr bool is_descriptor_address(uint64_t address) { return address >> 62 == 1; }
constexpr Descriptor descriptor_kind(uint64_t address) {
  return static_cast<Descriptor>(address >> 32 & 0xff);
}
constexpr uint32_t descriptor_number(uint64_t address) { return static_cast<uint32_t>(address); }

struct StepDetail {
  uint32_t step;
  uint32_t thread;
  uint64_t address;  // raw, of the object
  uint64_t before;   // value of the object, where it is one of 1 to 8 bytes
  uint64_t after;
  uint8_t size;  // 0: no values
  uint8_t unused[7];
  Stack stack;
};

// The same of a step before the last kDetailedSteps.
struct EarlyStep {
  uint64_t address;
  uint64_t before;
  uint64_t after;
  uint32_t step;  // kNoStep: there is nothing of this one
  uint32_t thread;
  uint32_t stack;  // in Detail::early_stacks, from 1; 0: there was no room for it
  uint8_t size;
  uint8_t unused[3];
};

enum class ThreadState : uint8_t { unused, enabled, waiting, ended };

struct ThreadDetail {
  uint32_t parent;   // kNoThread for main
  uint32_t ordinal;  // which child of its parent, from 1
  ThreadState state;
  Op pending;
  uint8_t unused[2];
  uint32_t holder;   // a thread that holds what this one waits for; kNoThread if none does
  uint64_t address;  // raw, of the object of the pending operation
  uint64_t id;       // its name as the object of create, join, detach and end
  char name[kThreadNameBytes];  // given by a script; empty: none
  Stack stack;                  // where it is
};

// In a message: the name of Detail::disputed, which only the engine knows.
inline constexpr char kObjectMark = '\1';

struct FailureDetail {
  Failure kind;
  uint8_t fault_pc;  // 1: stack.pc[0] is the faulting instruction, not a return address
  uint8_t unused[2];
  uint32_t thread;
  Stack stack;
  char message[4096];
};

// A place and a thread that a failure needs to be understood: the other access of a race, who
// freed.
struct Witness {
  Role role;
  uint8_t unused[3];
  uint32_t thread;  // kNoThread: before the execution began
  uint64_t size;    // of the access or block, bytes
  Stack stack;
};
inline constexpr uint32_t kMaxWitnesses = 4;

// An object that the program has named: heddle::name. The name holds for the steps from `begin` on,
// before `end`; kNoStep: to the end.
struct NamedObject {
  uint64_t address;
  uint64_t size;
  uint32_t begin;
  uint32_t end;
  char name[kNameBytes];
};

// Filled by kDetail jobs. Step s is at steps[s % kDetailedSteps]; check StepDetail::step. One that
// had to give its room to a later one is early[s], for s below early_count.
struct Detail {
  uint64_t job;
  uint32_t thread_count;
  uint32_t step_count;
  FailureDetail failure;
  uint64_t disputed;  // address of the object of a race, a memory error or a misuse; 0: none
  uint32_t witness_count;
  uint32_t name_count;
  Witness witnesses[kMaxWitnesses];
  NamedObject names[kMaxNames];
  StepDetail steps[kDetailedSteps];
  uint32_t early_count;
  uint32_t early_stack_count;
  EarlyStep early[kEarlySteps];
  Stack early_stacks[kEarlyStacks];
  ThreadDetail threads[kMaxThreads + 1];
};

inline constexpr uint64_t kPage = 4096;

struct Region {
  // Up to `state`: set before the start, and then only read. The program's processes cannot write
  // here, nor to the other parts that are the engine's alone (runtime/serve/attach.cc): a wild
  // pointer is a crash there.
  uint64_t magic;
  uint32_t version;
  uint32_t unused;
  uint64_t bytes;  // of the whole mapping
  Config config;
  uint64_t trace_offset;      // Step[config.max_steps + 1 + kMaxThreads + 1]
  uint64_t options_offset;    // uint16_t[kMaxOptions]
  uint64_t state_offset;      // StateRecords with their bytes, kStateArea in all
  uint64_t notes_offset;      // uint64_t[kMaxNotes]
  uint64_t decision_offset;   // Decision[config.max_steps + 1]; the engine's
  uint64_t detail_offset;     // Detail
  uint64_t points_offset;     // Point[places.point_count], by rising name; the engine's
  uint64_t distances_offset;  // uint32_t, as Route says; the engine's
  Places places;

  alignas(kPage) std::atomic<uint32_t> state;  // NurseryState; futex
  std::atomic<uint32_t> stop;                  // the engine's: everybody out
  char refusal[4096];
  Death death;
  std::atomic<int32_t> worker_pid;

  std::atomic<uint32_t> module_count;
  Module modules[kMaxModules];

  // Places that race and were no operations, of the execution alone.
  FoundPlaces<kMaxNewRacing> racing_found;
  // A place that a script waits for, and which is not in Places: what ended the execution.
  std::atomic<uint32_t> has_wanted;
  ScriptPlace wanted;
  // Where threads went on without a yield: found by all executions of this worker and those before.
  FoundPlaces<kMaxSpins> idle_found;
  std::atomic<uint32_t> unvaried;  // Unvaried

  Ring jobs;
  Ring results;

  // The execution that is being run, for the engine's watch and for the time after a death.
  alignas(64) std::atomic<uint64_t> current_job;  // kNoJob between jobs
  std::atomic<uint32_t> current_step;             // steps made so far; they are in the trace buffer
  std::atomic<uint64_t> jobs_begun;               // by this nursery's workers
  std::atomic<uint64_t> executions;               // runs started by them
  // Message of Ending::unsupported, which may be kBlocked (and of a diverged one); behind a line
  // break a hint what to do instead.
  char unsupported[1024];
  alignas(64) std::atomic<uint64_t> buffer_released;  // the engine's: has read the trace buffer of
                                                      // this job; futex on low half
};

template <typename T>
T* at(Region* region, uint64_t offset) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(region) + offset);
}
inline Step* trace(Region* region) { return at<Step>(region, region->trace_offset); }
inline uint16_t* option_threads(Region* region) {
  return at<uint16_t>(region, region->options_offset);
}
inline char* states(Region* region) { return at<char>(region, region->state_offset); }
inline uint64_t* notes(Region* region) { return at<uint64_t>(region, region->notes_offset); }
inline Decision* decisions(Region* region) { return at<Decision>(region, region->decision_offset); }
inline const Point* points(Region* region) { return at<Point>(region, region->points_offset); }
inline const uint32_t* distances(Region* region) {
  return at<uint32_t>(region, region->distances_offset);
}
inline Detail* detail(Region* region) { return at<Detail>(region, region->detail_offset); }

// Exit statuses of a worker that its nursery understands.
inline constexpr int kWorkerDone = 0;  // Region::stop
inline constexpr int kWorkerRestart =
    97;  // its last result is written; its memory is not to be trusted: fork another
inline constexpr int kWorkerSpoilt = 99;  // the job that it has got is not one of the engine's

// … of one that crashed while it reported a crash.
inline constexpr int kReportCrashed = 96;

// Exit status of a program whose libheddle has another kVersion than the region: the same in all.
inline constexpr int kOtherVersion = 98;

// What a thread does that no step of another can end; the stack says where.
inline constexpr char kBlocked[] = "a call that blocks in the kernel";

// The signal by which the engine asks a worker that makes no progress to report a hang.
// One that hardly any program uses. A program that raises it for itself gets it: ending/signals.cc.
inline constexpr int kHangSignal = 61;

}  // namespace heddle::wire
