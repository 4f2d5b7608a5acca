// Several parts of a search as one: all counts, what was seen, and the failures, each once.
#pragma once

#include <string>

#include "report/summary.h"
#include "session/part.h"

namespace heddle::session {

class Joined {
 public:
  // `who`: what its notes begin with; empty: a note that several have is told once.
  void add(const Part& part, const std::string& who = "");

  // Without findings and verdict, and nothing of it is complete: what that takes, who joins them
  // knows.
  report::Summary summary() const;

  // The next parts are of a search that begins again, with what these have learnt: of their counts
  // those stay that a search tells of the ones before it.
  void begin_again();
  // … of another stage.
  void begin_stage() { sum_.held_back = false; }

  bool empty() const { return is_empty_; }
  uint64_t executions() const { return sum_.summary.executions + sum_.common.executions; }
  // Its counts are those of the parts without the common executions.
  const Part& part() const { return sum_; }

  void save(explore::ByteWriter& out) const;
  void load(explore::ByteReader& in);

 private:
  void begin(const Part& part);
  void add_counts(const Part& part);
  void add_stages(const Part& part);
  void add_words(const Part& part, const std::string& who);

  bool is_empty_ = true;
  // Mutable: to count what was seen empties what waits to be counted.
  mutable Part sum_;
};

}  // namespace heddle::session
