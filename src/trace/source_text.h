// The source that a finding is about, as it was when the failure was found: whoever looks at the
// trace later need not have it, or has a newer one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/finding.h"

namespace heddle::trace {

// Lines that follow each other.
struct SourceExcerpt {
  uint32_t first = 1;  // the number of the first one
  std::vector<std::string> lines;
};

struct SourceText {
  std::string file;  // as in Place::file
  std::vector<SourceExcerpt> excerpts;
};

// Of each of the user's files on the finding's stacks: all of it, or if it is long, what stands
// around the lines that are on a stack. Files that cannot be read are left out.
std::vector<SourceText> source_texts(const Finding& finding);

}  // namespace heddle::trace
