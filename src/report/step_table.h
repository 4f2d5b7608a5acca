// Steps as lines of text: a column for each thread, or, where that gets too wide, lines that begin
// with their thread.
#pragma once

#include <string>
#include <vector>

#include "report/view.h"
#include "trace/finding.h"

namespace heddle::report {

struct StepRow {
  enum class Kind : uint8_t {
    step,
    preemption,  // words alone, across the columns, as in all that follow
    remark,
    fold,
  };
  Kind kind;
  std::string step;    // its number; of several, the first
  std::string thread;  // path
  std::string words;
  const trace::Place* place;  // null: there is none, or it says nothing
};

std::string step_table(const std::vector<StepRow>& rows, const View& view);

}  // namespace heddle::report
