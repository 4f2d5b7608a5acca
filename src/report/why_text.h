// Why it fails, and how to keep it from coming back: the critical step, the twin that passes, and
// lines to paste into a test.
#pragma once

#include <string>

#include "report/view.h"
#include "trace/finding.h"

namespace heddle::report {

// With an empty line behind it; empty: nothing was found out.
std::string why_text(const trace::Finding& finding, const View& view);

// "After step 6 every execution fails (all 9 were tried)".
std::string critical_words(const trace::CriticalStep& critical);
// "It passes with two steps in the other order".
std::string twin_words(const trace::Twin& twin);

// Of the execution that found it, if its schedule was simplified: "; simplified from …"; empty: it
// was not.
std::string simplified_words(const trace::Finding& finding);

// With an empty line behind it; empty: there is none.
std::string test_text(const trace::Finding& finding, const View& view);

}  // namespace heddle::report
