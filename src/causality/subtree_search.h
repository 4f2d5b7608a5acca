// Searches a subtree (wire/subtree.h): what is remembered of it between executions. Its worker runs
// them.
//
// While the program runs it can write anywhere, here too. So all that is remembered is there twice,
// or has a sum that is kept elsewhere. What each execution begins with is compared after it, the
// rest before anything is told. Where they do not agree nothing is told: is_sound() is false.
#pragma once

#include <span>

#include "base/array.h"
#include "causality/observation.h"
#include "wire/layout.h"
#include "wire/subtree.h"

namespace heddle::causality {

class SubtreeSearch {
 public:
  // The words: what follows the job.
  void begin(const wire::Job& job, const wire::Decision* words);

  // The next execution. False: this was all, or a limit is reached, or the next one is the
  // engine's.
  bool next(wire::Job* next);
  const wire::Decision* decisions() const { return decisions_.begin(); }
  uint64_t job() const { return progress_.job.id; }

  // It has been run: its steps from `first_step` of its job on are there, and its states.
  void executed(const Execution& execution);

  // The report, and the end of it. In the middle of an execution: that one is the engine's.
  std::span<const char> end();

  // Nobody has written to what is remembered, as far as it has been looked at.
  bool is_sound() const { return is_sound_; }

 private:
  using Failures = wire::SubtreeFailures;

  // What changes with every execution. The sums are of the arrays.
  struct Progress {
    wire::Job job;
    wire::SubtreeOrder order;
    wire::SubtreeReport report;
    uint64_t entry_sum;
    uint64_t decision_sum;
    uint64_t fingerprint_sum;
    uint64_t failure_sum;
    uint64_t state_sum;
  };
  static_assert(sizeof(Progress) % sizeof(uint64_t) == 0);

  void look();
  void remember() { twin_[0] = progress_; }
  bool stop(wire::SubtreeEnd end);
  Failures* failures_of(uint64_t key);
  bool is_ordinary(const Execution& execution);
  void count(const Execution& execution);
  void add_states(std::span<const char> records);
  void push_range(const wire::Branch& branch, uint32_t first, uint32_t last);
  void add_successors();
  void take_schedule();
  void write_report();

  Progress progress_{};
  bool is_sound_ = true;
  Observation observation_;
  Array<Progress> twin_;  // far from the other one
  Array<wire::SubtreeEntry> entries_;
  Array<wire::Decision> decisions_;
  Array<uint64_t> fingerprints_;
  Array<Failures> failures_;
  Array<char> states_;
  Array<char> report_;
};

}  // namespace heddle::causality
