// What came of the warnings of another tool (heddle guide), as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/summary.h"
#include "warnings/sarif.h"

namespace heddle::report {

struct Guidance {
  std::string from;                      // the report
  std::string format;                    // of it, for people
  std::vector<warnings::Judged> judged;  // in the order of the report
  std::vector<std::string> why_not;      // of each: why it could not be tried; or empty
  std::vector<std::string> unread;       // what there is in the report besides
  size_t warnings = 0;                   // to be judged
  bool interrupted = false;
  std::vector<trace::Finding> findings;  // that confirm some of them
  std::optional<Summary> gave_up;        // a search that could not go on
};

std::string guidance_text(const Guidance& guidance, bool color);
std::string guidance_json(const Guidance& guidance);
// 1: a warning is confirmed.
int guidance_exit_code(const Guidance& guidance);

}  // namespace heddle::report
