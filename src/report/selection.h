// What matters of an execution that may be long: the preemptions with the steps that they separate,
// the critical step and the twin's, the operations on the objects of the failure, and the last
// steps. The rest is folded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "trace/finding.h"

namespace heddle::report {

// Steps that follow each other, by their index in the timeline.
struct Stretch {
  enum class Kind : uint8_t {
    step,  // one, shown
    call,  // several of one thread inside of a library, for one line of the user: shown as one
    fold,  // left out
  };
  Kind kind;
  size_t begin;
  size_t end;
};

// All of `begin` to `end`, in order. `limit`: so many steps and calls at least, if there are;
// none: what matters, and all of it where that is little. View::kAllSteps: every step for itself.
std::vector<Stretch> select_steps(const trace::Finding& finding, const trace::Timeline& timeline,
                                  size_t begin, size_t end, std::optional<size_t> limit);

}  // namespace heddle::report
