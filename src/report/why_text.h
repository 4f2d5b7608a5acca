// Why it fails, and how to keep it from coming back: the critical step, the twin that passes, and
// lines to paste into a test.
#pragma once

#include <string>

#include "report/style.h"
#include "trace/finding.h"

namespace heddle::report {

// With an empty line behind it; empty: nothing was found out.
std::string why_text(const trace::Finding& finding, const Paint& paint);

// Of the execution that found it, if its schedule was simplified: "; simplified from …"; empty: it
// was not.
std::string simplified_words(const trace::Finding& finding);

// With an empty line behind it; empty: there is none.
std::string test_text(const trace::Finding& finding, const Paint& paint);

}  // namespace heddle::report
