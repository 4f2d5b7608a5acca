// The fingerprint of an execution: a hash of its happens-before, the same for every order of
// independent steps.
//
// Each step gets a hash of what it is and of the steps that it depends on directly: the one before
// it in its thread, the last change of its object, and, if it changes the object itself, the reads
// since then. The execution's fingerprint is the sum of them all, so that the order in which
// independent steps happened leaves no mark. The sequence hash, beside it, folds the same hashes in
// the order of the steps and so tells apart what the fingerprint does not.
//
// Objects go in by names that are the same in every process: see object_name().
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "runtime/detect/clock.h"
#include "runtime/schedule/thread.h"

namespace heddle::runtime {

struct ObjectRecord {
  uint64_t key;         // address
  uint64_t epoch;       // of the execution that used it last; older: the rest is void
  uint64_t name;        // see object_name()
  uint64_t last_write;  // hash of the last step that changed it
  uint64_t reads;       // sum of the hashes of the steps that have read it since
  Clock carried;        // what a thread that synchronises with it gets to know: detect/order.h
};

inline constexpr uint64_t kObjectTableSize =
    uint64_t{1} << 16;  // first size; grows by the runtime's own mappings

extern ObjectRecord* g_objects;
extern uint64_t g_object_mask;
extern uint64_t g_object_epoch;

// The name of an address: offset in its module, in its thread's heap or in its thread's stack;
// never the address itself, which address randomisation and the order of thread creation change.
uint64_t object_name(uint64_t address);

// The slow part: a record for an object that this execution has not used yet.
ObjectRecord* new_object(uint64_t address);
void forget_objects();  // a new execution begins

inline ObjectRecord* find_object(uint64_t address) {
  uint64_t i = (address * kMix1) >> 40;
  for (;; ++i) {
    ObjectRecord* record = &g_objects[i & g_object_mask];
    if (HEDDLE_LIKELY(record->key == address && record->epoch == g_object_epoch)) return record;
    if (record->epoch != g_object_epoch) return new_object(address);
  }
}

// The hash of a step that changes, or only reads, the object.
inline uint64_t hash_change(ObjectRecord* object, uint64_t what, uint64_t before) {
  uint64_t hash = mix(mix(what, before), object->last_write + object->reads * 3);
  object->last_write = hash;
  object->reads = 0;
  return hash;
}

inline uint64_t hash_read(ObjectRecord* object, uint64_t what, uint64_t before) {
  uint64_t hash = mix(mix(what, before), object->last_write);
  object->reads += hash;
  return hash;
}

}  // namespace heddle::runtime
