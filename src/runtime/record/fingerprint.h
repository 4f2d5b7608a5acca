// The fingerprint of an execution: a hash of its happens-before, the same for every order of
// independent steps; and virtual time, which is a function of the happens-before, too.
//
// Each step gets a hash of what it is and of the steps that it depends on directly: the one before
// it in its thread, the last change of its bytes, and, if it changes them itself, the reads since
// then. The execution's fingerprint is the sum of them all, so that the order in which independent
// steps happened leaves no mark. The sequence hash, beside it, folds the same hashes in the order
// of the steps and so tells apart what the fingerprint does not.
//
// A thread's clock is a microsecond ahead of all that its last step depends on: equivalent
// executions show the same times.
//
// Objects go in by names that are the same in every process: see object_name().
#pragma once

#include <cstdint>

#include "runtime/record/objects.h"

namespace heddle::runtime {

inline constexpr int64_t kNanosecondsPerStep = 1000;

// A step while it is accounted for. `hash` begins as that of what it is and of its thread's step
// before, and `now` as its thread's time.
struct Moment {
  uint64_t hash;
  int64_t now;
};

inline int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

inline void perform_change(Past* past, Moment moment) {
  past->last_change = moment.hash;
  past->reads = 0;
  past->changed_at = moment.now;
}
inline void perform_read(Past* past, Moment moment) {
  past->reads += moment.hash;
  past->read_at = later(past->read_at, moment.now);
}

// Of a divided object: part of the step's past is each cell's. Cells with the same past count as
// one: it makes no difference whether others have been divided from it.
Moment account_for_cells(const ObjectRecord* object, bool changes, Moment moment);

// The step changes, or only reads, the object. By value: what has an address is kept in memory.
inline Moment account_for(ObjectRecord* object, bool changes, Moment moment) {
  if (HEDDLE_UNLIKELY(object->is_divided)) return account_for_cells(object, changes, moment);
  Past& past = object->past;
  if (changes) {
    moment.hash = mix(moment.hash, past.last_change + past.reads * 3);
    moment.now = later(moment.now, later(past.changed_at, past.read_at)) + kNanosecondsPerStep;
    perform_change(&past, moment);
  } else {
    moment.hash = mix(moment.hash, past.last_change);
    moment.now = later(moment.now, past.changed_at) + kNanosecondsPerStep;
    perform_read(&past, moment);
  }
  return moment;
}

}  // namespace heddle::runtime
