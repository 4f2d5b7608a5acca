// What stands in the source at the places of a finding, as it is when the finding is made: whoever
// shows it later, from a file, need not have the source any more, nor the same.
#pragma once

#include <string>
#include <string_view>

#include "trace/finding.h"

namespace heddle::trace {

// A part of a line of the source that is no wider than `width` bytes, if that is not very small:
// around the column (from 1; 0: not known), with dots where something was left out.
struct Cut {
  std::string text;
  size_t column = 0;  // in it
};
Cut cut_around(std::string_view text, size_t column, size_t width);

// Fills in Place::source of the user's place of each stack. Reads each file once.
void quote_source(Finding* finding);

}  // namespace heddle::trace
