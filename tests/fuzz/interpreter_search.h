// One search of one or several programs with heddle::check, and what it found.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "interpreter_program.h"

namespace fuzz {

using Way = std::vector<std::pair<std::string, std::string>>;  // options of heddle run

std::string text_of(const Way& way);

// A line of the list of executions.
struct Line {
  uint64_t fingerprint, sequence;
  std::string ending;
  uint64_t key;

  bool whole() const { return ending != "pruned" && ending != "redundant"; }
  auto operator<=>(const Line&) const = default;
};

// The final values of an execution of one of the programs, as a hash.
struct Final {
  uint32_t program;
  uint64_t hash;
  auto operator<=>(const Final&) const = default;
};

struct Found {
  std::string problem;  // the search did not end as it should, or contradicts itself
  bool too_long = false;
  uint64_t executions = 0;
  bool repeated = false;  // lines of the list have come twice, and were left out
  std::vector<Line> lines;
  std::vector<Final> finals;
  bool in_order = false;           // with one worker: they are those of `lines` that finished
  std::vector<std::string> texts;  // of the different final values, if asked for
};

struct Searched {
  std::vector<const Program*> programs;  // which of them: heddle::choose, where there are several
  uint64_t limit = 0;                    // on executions; 0: none
  bool with_texts = false;
};

Found search(const Searched& what, const Way& way);

// Of a search that visits every schedule once: the fingerprint says what an execution came to.
// Empty, or what is wrong.
std::string check_plain(const Found& found);

}  // namespace fuzz
