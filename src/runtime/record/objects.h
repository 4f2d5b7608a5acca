// The objects of an execution: what its operations are on, by address and number of bytes.
//
// Operations depend on each other if their bytes overlap. In most programs all operations on an
// object have the same bytes, and nobody else has any of them: one record then keeps what has
// happened to the object. Where objects overlap (atomics of other sizes, a range that is copied or
// freed), what has happened is kept in cells instead: stretches of bytes that no object's border
// divides, in the order of their addresses. Each of the objects is then a row of cells.
//
// An object is found by its granule, 16 bytes of memory. One that does not fit into a granule is
// wide: whether a new object overlaps it is found out by looking through all of these.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "runtime/record/clock.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

// What has happened to an object or a cell in this execution.
struct Past {
  uint64_t last_change;  // hash of the last step that changed it
  uint64_t reads;        // sum of the hashes of the steps that have read it since
  int64_t changed_at;    // virtual time of that change, and of the latest read
  int64_t read_at;
};

struct ObjectRecord {
  uint64_t bytes;
  uint64_t name;     // see object_name()
  uint32_t user;     // index of the first thread that used it, + 1, or kManyUsers
  bool is_divided;   // into cells, which have what follows; else the object has it
  bool is_readable;  // memory that is there as long as the program runs
  Past past;
  Clock carried;  // what a thread that synchronises with it gets to know: detect/order.h
  uint64_t address;
  uint32_t same_beginning;  // the next record with the same address; 0: none
  // Of an object of the library that was initialised while there were other threads: by which, + 1,
  // when, and at which place. 0: by none. See detect/lifetime.h.
  uint32_t maker;
  uint32_t made_at;
  uint64_t made_by;
};
inline constexpr uint32_t kManyUsers = 0xffffffff;

struct ObjectCell {
  uint64_t begin;
  uint64_t end;
  Past past;
  Clock carried;
};

inline constexpr uint64_t kGranuleBytes = 16;

struct Granule {
  uint64_t number;
  uint64_t epoch;                 // of the execution that used it last; older: the rest is void
  uint32_t first[kGranuleBytes];  // record that begins at that byte; 0: none
  uint64_t covered;               // bit i: byte i belongs to an object that begins here
};

inline constexpr uint64_t kFirstGranules = 4096;  // a power of two; the table grows

extern ObjectRecord* g_records;  // number 0 is none
extern Granule* g_granules;
extern uint64_t g_granule_mask;
extern uint64_t g_object_epoch;
extern bool g_objects_overlap;  // some have, in this execution

// The name of an address: offset in its module, in its thread's heap or in its thread's stack;
// never the address itself, which address randomisation and the order of thread creation change.
// Names of neighbouring bytes are neighbours.
uint64_t object_name(uint64_t address);

// Asked of sync/: the name of an object that is a channel; false if it is none.
bool channel_name(uint64_t object, uint64_t* name);

void objects_begin();   // once for each process
void forget_objects();  // a new execution begins

// The slow part: an object that this execution has not used yet, or not with so many bytes.
ObjectRecord* find_object_slow(uint64_t address, uint64_t bytes);

inline uint64_t granule_place(uint64_t number) { return (number * kMix1) >> 40; }

inline ObjectRecord* find_object(uint64_t address, uint64_t bytes) {
  uint64_t number = address / kGranuleBytes;
  for (uint64_t i = granule_place(number);; ++i) {
    const Granule& granule = g_granules[i & g_granule_mask];
    if (HEDDLE_UNLIKELY(granule.epoch != g_object_epoch)) break;
    if (HEDDLE_UNLIKELY(granule.number != number)) continue;
    ObjectRecord* record = &g_records[granule.first[address % kGranuleBytes]];
    if (HEDDLE_LIKELY(record->bytes == bytes)) return record;
    break;
  }
  return find_object_slow(address, bytes);
}

inline bool is_of(const ObjectRecord* record, uint64_t address, uint64_t bytes) {
  return record->address == address && record->bytes == bytes;
}

// The cells of a divided object.
struct CellRow {
  ObjectCell* first;
  ObjectCell* last;  // one past
  ObjectCell* begin() const { return first; }
  ObjectCell* end() const { return last; }
};
CellRow cells_of(const ObjectRecord* object);

// Whether an operation of this execution by another thread was on some of these bytes.
bool is_used_by_others(uint64_t address, uint64_t bytes, uint32_t thread);

}  // namespace heddle::runtime
