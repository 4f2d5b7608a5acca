// Steps that a report leaves out, in one line.
#pragma once

#include <cstddef>
#include <string>

#include "trace/timeline.h"

namespace heddle::report {

// "93 steps of main: set-up, queue_test.cc:9 to 31".
std::string fold_words(const trace::Timeline& timeline, size_t begin, size_t end);

}  // namespace heddle::report
