// A search that is one of several of the same program (session/comparison.h). It is not saved, a
// failure that one before it has told is not told again, and it keeps how far it had come at
// which time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/comparison.h"

namespace heddle::session {

struct Series {
  std::string label;  // in front of the status line: "run 3 of 20: random, seed 2"
  // Keys of the failures that searches before have told; each has a schedule file with its number.
  std::vector<uint64_t> told;

  // Of this search.
  std::optional<uint64_t> found;  // key of the failure that it has come to
  std::vector<report::Sample> samples;
};

}  // namespace heddle::session
