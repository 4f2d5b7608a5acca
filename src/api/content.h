// What a heddle::Report holds.
#pragma once

#include <string>
#include <vector>

#include "heddle/heddle.h"
#include "report/summary.h"

namespace heddle {

struct Report::Content {
  report::Summary summary;
  report::View view;   // of the text
  bool trace = false;  // in the JSON
  std::vector<Failure> failures;
  std::string refusal;         // not empty: the search did not take place; exit code 2
  std::string internal_error;  // not empty: exit code 4
  bool skipped = false;        // another check of this process is being replayed; nothing was run

  void fill_failures();
};

}  // namespace heddle
