// What a search has to tell: the value from which every report (text, JSON, later HTML…) is made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/view.h"
#include "trace/finding.h"

namespace heddle::report {

enum class Verdict { passed, failed, incomplete };

// The test led elsewhere on the same schedule: exit code 3.
struct Unrepeatable {
  uint64_t execution = 0;
  uint32_t step = 0;       // the first that differs
  bool step_known = true;  // false: somewhere before `step`
  std::string expected;    // "thread 1: atomic load of counter, queue.h:41"
  std::string found;
};

// What the search kept in memory after so many executions.
struct TreeSample {
  uint64_t executions;
  uint64_t nodes_created;
  uint64_t alive;
  uint64_t bytes;
  std::optional<uint64_t> uncompressed_bytes;  // not always counted
};

// How many schedules: an estimate, and from where to where the number may lie.
struct Range {
  double estimate;
  double low;
  double high;
};

// What an incomplete search would still have run.
struct Remaining {
  uint64_t waiting;            // schedules that are known already
  std::optional<Range> range;  // these, and all that would have come of them; none: not known
};

// A part of a search that goes from small to large.
struct Stage {
  std::string name;  // "at most 1 preemption"
  std::string order;
  std::optional<uint32_t> preemptions;  // the bound; schedules with fewer are in the stages before
  std::string reduce;
  uint64_t executions;  // of this stage
  bool complete;
  double seconds;
  std::optional<Range> remaining{};  // schedules of this stage; none: complete, or not known
  uint64_t common = 0;               // of the executions: those that all parts of a search run
};

// What a sampler has run beside the stages.
struct Sampled {
  std::string name;  // "pos"
  uint64_t executions;
  uint64_t distinct;  // of these: unlike any before
};

// Something that is no failure, and not as it should be.
struct Warning {
  wire::Failure kind;  // that it would be
  std::string message;
  std::string location;
};

// A failure that is known: --suppress.
struct Suppressed {
  wire::Failure kind;
  std::string location;
  std::string by;  // the line that matches: "known.txt:3"
  uint64_t key;    // wire::Result::failure_key
};

struct Summary {
  std::vector<std::string> program;  // with its arguments
  Verdict verdict = Verdict::incomplete;
  std::vector<trace::Finding> findings;
  std::optional<Unrepeatable> unrepeatable;
  std::string unsupported;   // what the program used that is not supported: exit code 2
  std::string hint;          // what to do instead; may be empty
  bool interrupted = false;  // Ctrl-C: exit code 130
  // What has ended the search in its middle, and the exit code that this has.
  struct Broken {
    std::string what;
    int exit_code;
  };
  std::optional<Broken> broken;
  std::string stopped_by;  // the budget that ran out, as typed: "--seconds 10"; empty: none
  std::vector<Suppressed> suppressed;
  std::vector<Warning> warnings;
  std::vector<std::string> advice;  // of a search that is incomplete: what to type next
  std::vector<std::string> notes;   // further sentences: "3 executions were cut at --max-steps …"

  // Schedules of former failures that were run before the search: --first.
  struct Former {
    uint64_t failed = 0;
    uint64_t passed = 0;
    std::vector<std::string> unfit;   // files whose schedules do not fit the program any more
    std::vector<std::string> others;  // files of other programs, or other arguments or tests
    uint64_t executions() const { return failed + passed + unfit.size(); }
  };
  std::optional<Former> former;  // none: it was not asked for

  uint64_t executions = 0;  // every run of the search, the failing one included
  uint64_t failing_executions = 0;
  uint64_t steps = 0;
  uint64_t pruned = 0;     // cut short: as redundant, or by heddle::assume
  uint64_t redundant = 0;  // of them
  // Executions of searches before, from which this one has learnt which places race; they are in
  // `executions`.
  uint64_t learning = 0;
  uint64_t cut = 0;
  // Of a test script: executions that have gone as it says, and that could not.
  bool scripted = false;
  uint64_t realised = 0;
  uint64_t infeasible = 0;
  std::optional<uint64_t> witness;  // an execution that has, and no more was asked for
  std::string witness_replay;       // how to replay it; empty: it was not saved
  uint64_t distinct = 0;
  bool distinct_estimated = false;
  std::optional<uint64_t> states;  // different ones; none: the test declares none
  uint32_t threads = 0;
  uint32_t max_steps = 0;  // of the longest execution
  double seconds = 0;

  // Of one of several parts of a search: by itself it covers nothing.
  struct Shard {
    uint32_t index;
    uint32_t count;
    bool complete;     // it has run all that is its own
    std::string file;  // that heddle merge reads; empty: it was not written
  };
  std::optional<Shard> shard;
  // Of a search over many machines.
  struct Machines {
    uint64_t machines;
    uint64_t workers;  // at most at a time
    uint64_t tasks;
  };
  std::optional<Machines> machines;
  uint32_t parts = 0;  // of several that were joined; 0: it is none of these

  bool complete = false;
  std::optional<Remaining> remaining;   // none: complete, or the search has no end
  std::optional<uint32_t> preemptions;  // the bound; none: unbounded
  std::optional<uint32_t> delays;
  std::optional<uint32_t> depth;
  std::string reduce = "none";
  bool fair = false;
  uint64_t set_back = 0;  // executions in which fair scheduling has left schedules out
  // … in some of them since threads made so many steps without a yield; 0: in none
  uint32_t yield_after = 0;
  std::string accesses = "sync";
  bool spurious = false;
  bool last_retries = false;          // --retries last
  std::vector<std::string> unvaried;  // what the program has used: "clock readings"

  std::string strategy;  // empty: a replay
  std::string order;
  uint64_t seed = 0;
  std::vector<Stage> stages;  // as far as they have begun; none: the strategy has no stages

  std::vector<Sampled> sampled;
  // Of a search that knows the states it has come through.
  struct Matching {
    uint64_t states;                // that it has processed
    uint64_t matched;               // how often it has come to one that it had been in
    bool on;                        // … and has stopped there
    std::optional<uint32_t> depth;  // choice points of the last execution that failed
  };
  std::optional<Matching> matching;
  // Of a search that goes through places.
  struct Guided {
    uint32_t places;
    uint32_t passed;  // by the execution that has passed the most of them
    uint64_t states;  // steps, without those that executions repeat
    bool are_racing;  // they are pairs that race; else those of --through
  };
  std::optional<Guided> guided;
  // Of the failing execution that has ended the search: states that none before had come through,
  // and places that it has passed.
  uint64_t states_to_failure = 0;
  uint32_t passed_to_failure = 0;

  uint64_t nodes_created = 0;
  uint64_t nodes_peak = 0;
  uint64_t tree_bytes_peak = 0;
  uint64_t spilled_bytes_peak = 0;
  uint64_t uncompressed_bytes_peak = 0;
  std::vector<TreeSample> tree_samples;
};

// The largest bound on preemptions within which all schedules have been run; none: there is none.
std::optional<uint32_t> completed_preemptions(const Summary& summary);

// What may be said of the search: never `passed` for one that gave up, was interrupted or led
// nowhere.
Verdict verdict_of(const Summary& summary);
const char* verdict_name(Verdict verdict);

// Nothing has kept the search from what it was to cover, failures apart.
bool is_complete(const Summary& summary);

// What was run: "all schedules with …, 20 executions"; or why not all, after how many.
std::string coverage(const Summary& summary);

// The exit code of `run` and `replay`, as in the manual.
int exit_code(const Summary& summary);

// For people. Ends with a newline.
std::string text(const Summary& summary, const View& view = {});
// What is not supported, and the hint, as a message of two lines.
std::string unsupported_line(const Summary& summary);
// One object as in the manual; `trace`: with all steps of each failure. Ends with a newline.
std::string json(const Summary& summary, bool trace = false);

}  // namespace heddle::report
