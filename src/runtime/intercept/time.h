// Virtual time: it moves with the schedule, never with the machine's clock.
#pragma once

#include <time.h>

#include <cstdint>

#include "runtime/sync/waiting.h"

namespace heddle::runtime {

// The virtual moment, as Pending::deadline, at which `clock` shows `time`.
int64_t deadline_of(clockid_t clock, const timespec* time);
bool is_valid(const timespec* time);

}  // namespace heddle::runtime
