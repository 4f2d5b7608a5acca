// A failure with everything that a person wants to know of it, free of shared memory and of raw
// addresses.
//
// Made once for each different failure, by running its schedule again with details (wire::kDetail).
// Source places are resolved by symbols/symbols.h. Reports print it; schedule files keep a part of
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/execution.h"
#include "trace/timeline.h"

namespace heddle::trace {

// What an execution that does not end repeats: see trace/cycle.h.
struct Cycle {
  uint32_t begin = 0;
  uint32_t length = 0;
  uint32_t repeats = 0;
  std::vector<DetailedStep> steps;  // the last whole one; if it is long, its first ones
};

// What a thread looks for in vain in each round: see trace/waits.h.
struct Wait {
  std::string thread;
  std::string words;  // "reads flag: 0"
  CallStack stack;
};

struct ThreadAtEnd {
  std::string thread;
  wire::ThreadState state{};
  wire::Op pending{};
  std::string object;
  std::string holder;  // path of the thread that holds what this one waits for; empty if none
  CallStack stack;
  std::string name{};   // given by a script; empty: none
  std::string entry{};  // the user's function in which the thread began; empty if it is not known
  Naming naming{};      // of the object
};

// What one thread did at a stretch: see trace/turns.h.
struct Turn {
  enum class Stop : uint8_t {
    preempted,
    gives_way,  // it yields, or is held back
    blocked,
    ended,
    last,  // the execution has failed
  };
  std::string thread;
  uint32_t begin = 0;  // its steps
  uint32_t end = 0;
  Stop stop{};
  DetailedStep next;  // the operation before which it was left; of a thread that ended, none
  // How many of the operations that it came to in this turn, `next` included, are of the same kind
  // on the same object; are accesses to that object; are accesses that read and write it; stand in
  // the same line of the source, 0: not known.
  uint32_t same = 1;
  uint32_t accesses = 1;
  uint32_t updates = 0;
  uint32_t in_line = 1;
};

// A place and a thread that the failure needs to be understood: an access of a race, who freed.
struct Witness {
  wire::Role role{};
  std::string thread;  // empty: before the execution began
  uint64_t size = 0;   // of the access or block, in bytes
  CallStack stack;
};

// A transfer that a script has made.
struct Transfer {
  CallStack stack;     // of the script
  std::string thread;  // that went; empty: all in scope, interleaved, until they had ended
  std::string until;   // what it came to: "lock mutex forks[1], philosophers.cc:17"; empty: its end
};

// The step after which an execution that failed could not but fail.
struct CriticalStep {
  bool some_pass = true;  // false: no execution that was run passes, and there is no such step
  uint32_t step = 0;
  uint64_t tried =
      0;             // executions that begin with all steps up to it, this one among them: all fail
  bool all = false;  // there are no others
  DetailedStep what;
};

// An execution that passes, and differs from one that fails in as little as can be. Both are kept
// in the trace file (trace/trace_file.h).
struct Twin {
  uint32_t step = 0;      // the first that differs
  bool adjacent = false;  // this step and the next are exchanged; false: another thread goes here
  bool is_own = true;     // it is this finding's execution that it differs from; false: another one
  std::vector<DetailedStep> failing;  // its steps from there on, two or one of them
  std::vector<DetailedStep> passing;
};

struct NamedDecision {
  uint32_t step = 0;
  uint32_t choice = 0;
  std::string thread;  // that it lets go
  std::string note;    // for people: "T2 preempts T1, before: lock mutex forks[1],
                       // philosophers.cc:17"; may be empty
};

struct Finding {
  wire::Failure kind{};
  std::string message;
  std::string thread;  // that failed; empty for a deadlock
  CallStack stack;     // of the failure
  std::string object;  // that two threads race for, or that is used wrongly; empty if none
  std::vector<Witness> witnesses;
  std::string note;        // what is to be known before it is believed; empty: nothing
  uint64_t key = 0;        // wire::Result::failure_key
  uint64_t execution = 0;  // number of the run that found it, from 1
  std::string stage;       // of the search, in which that was; empty: it has no stages
  std::string sampler;     // that has found it; empty: none
  uint32_t depth = 0;      // choice points before it, where they were counted
  // Of the execution that found it; the schedule may have fewer.
  struct Size {
    uint32_t steps = 0;
    uint32_t preemptions = 0;
    uint32_t switches = 0;
  };
  Size found;
  uint32_t steps = 0;
  uint32_t preemptions = 0;
  uint32_t switches = 0;       // from one thread to another
  bool is_simplified = false;  // it is another schedule than that of the execution that found it
  bool fewest = false;         // no schedule with fewer preemptions fails so
  std::optional<CriticalStep> critical;
  std::optional<Twin> twin;
  uint64_t sequence = 0;
  std::vector<NamedDecision> decisions;
  Timeline timeline;                 // all steps; empty: nothing is known of them
  std::optional<Cycle> cycle;        // of a livelock or good-samaritan violation
  uint32_t proved_cycle = 0;         // steps, the last ones, that lead back to where they began
  std::vector<Wait> waits;           // likewise, also where there is no cycle
  std::vector<ThreadAtEnd> threads;  // all of the execution
  std::vector<Transfer> transfers;   // of a script, the last ones
  std::vector<Turn> turns;           // likewise, or of one round of its cycle; empty: too many
  std::string output;                // what the program wrote in this execution
  std::string schedule_file;         // where it was saved; empty if not
  bool needs_trust = false;  // heddle replay --trust: the program is none that was built for it
  std::string test_to_keep;  // lines that run the schedule again; empty: there are none

  // "queue.h:41": of the failing thread's user place; for a deadlock, of the first thread that
  // waits for more than the end of another one; for a livelock, of what the first thread looks for.
  std::string location() const;
  const Place* place() const;  // the same; null: it is not known
};

// Whether a livelock is std::lock's own: all of its steps are made in there, or in scoped_lock.
bool is_retry_of_std_lock(const Finding& finding);

}  // namespace heddle::trace
