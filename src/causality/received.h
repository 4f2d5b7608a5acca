// What came from a worker, before anything is made of it: the program under test may have written
// over it. Everything that names a thread, a step or an option is looked at here, once; behind it,
// nobody does again. The bytes are copies, which do not change any more.
#pragma once

#include <span>

#include "causality/execution.h"

namespace heddle::causality {

// Whether the steps, those that were pending and the options can be those of the execution's
// result.
bool is_sensible(const Execution& execution);

// Whether this is what the runtime has written: by the seals and the checksum of its result.
bool is_as_sealed(const Execution& execution);

// Whether a digest can be read, and can be that of an execution with this result.
bool is_sensible(std::span<const char> digest, const wire::Result& result);

}  // namespace heddle::causality
