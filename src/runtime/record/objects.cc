// See objects.h.
#include "runtime/record/objects.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/carrier/slots.h"
#include "runtime/isolate/arena.h"
#include "runtime/isolate/modules.h"
#include "runtime/own_memory.h"
#include "runtime/real.h"
#include "runtime/run.h"
#include "wire/dependence.h"

namespace heddle::runtime {

ObjectRecord* g_records;
Granule* g_granules;
uint64_t g_granule_mask;
uint64_t g_object_epoch = 1;
bool g_objects_overlap;

namespace {

// Address space, not memory: an execution uses what it needs.
constexpr uint64_t kMaxRecords = uint64_t{1} << 28;
constexpr uint64_t kMaxCells = uint64_t{1} << 26;

uint64_t g_granule_count;  // in this execution
uint64_t g_record_count;   // likewise; record 0 is none
ObjectCell* g_cells;       // by address
uint64_t g_cell_count;
uint32_t* g_wide;  // numbers of records
uint64_t g_wide_count;

bool is_wide(uint64_t address, uint64_t bytes) {
  return address % kGranuleBytes + bytes > kGranuleBytes;
}

bool overlap(const ObjectRecord* a, const ObjectRecord* b) {
  return wire::overlap(a->address, a->bytes, b->address, b->bytes);
}

// The granule of that number, or a void one, in which there is room for it.
Granule* granule_or_room(Granule* table, uint64_t mask, uint64_t number) {
  for (uint64_t i = granule_place(number);; ++i) {
    Granule* granule = &table[i & mask];
    if (granule->epoch != g_object_epoch || granule->number == number) return granule;
  }
}

void grow_granules() {
  uint64_t size = (g_granule_mask + 1) * 2;
  auto* table = static_cast<Granule*>(own_memory(size * sizeof(Granule)));
  for (uint64_t i = 0; i <= g_granule_mask; ++i) {
    const Granule& old = g_granules[i];
    if (old.epoch == g_object_epoch) *granule_or_room(table, size - 1, old.number) = old;
  }
  HEDDLE_REAL(munmap)(g_granules, (g_granule_mask + 1) * sizeof(Granule));
  g_granules = table;
  g_granule_mask = size - 1;
}

// The granule of an address; null: nothing in it has been used.
Granule* find_granule(uint64_t number) {
  Granule* granule = granule_or_room(g_granules, g_granule_mask, number);
  return granule->epoch == g_object_epoch ? granule : nullptr;
}

Granule* find_or_make_granule(uint64_t number) {
  Granule* granule = granule_or_room(g_granules, g_granule_mask, number);
  if (granule->epoch == g_object_epoch) return granule;
  if (++g_granule_count * 2 > g_granule_mask) {
    grow_granules();
    granule = granule_or_room(g_granules, g_granule_mask, number);
  }
  // Field by field: as a whole it would be cleared by a string instruction, which takes its time.
  granule->number = number;
  granule->epoch = g_object_epoch;
  for (uint32_t& first : granule->first) first = 0;
  granule->covered = 0;
  return granule;
}

ObjectCell* lower_bound(uint64_t address) {
  ObjectCell* low = g_cells;
  ObjectCell* high = g_cells + g_cell_count;
  while (low < high) {
    ObjectCell* middle = low + (high - low) / 2;
    (middle->end <= address ? low : high) = middle->end <= address ? middle + 1 : middle;
  }
  return low;
}

// Room for one more cell, before `place`.
void make_room(ObjectCell* place) {
  HEDDLE_INVARIANT(g_cell_count < kMaxCells);
  memmove(place + 1, place, static_cast<size_t>(g_cells + g_cell_count - place) * sizeof *place);
  ++g_cell_count;
}

// A border between cells at the address, if it is inside of one.
void divide_at(uint64_t address) {
  ObjectCell* cell = lower_bound(address);
  if (cell == g_cells + g_cell_count || cell->begin >= address) return;
  make_room(cell);
  cell[0].end = cell[1].begin = address;
  cell[1].carried = Clock();
  cell[1].carried.assign(cell[0].carried);
}

// The object becomes a row of cells. What has happened to its bytes so far is in cells already, or
// nothing has; but for what the record itself has.
void divide(ObjectRecord* object) {
  uint64_t end = object->address + object->bytes;
  divide_at(object->address);
  divide_at(end);
  uint64_t at = object->address;
  for (ObjectCell* cell = lower_bound(at); at < end; ++cell) {
    bool is_gap = cell == g_cells + g_cell_count || cell->begin > at;
    if (is_gap) {
      bool to_end = cell == g_cells + g_cell_count || cell->begin > end;
      uint64_t gap_end = to_end ? end : cell->begin;
      make_room(cell);
      *cell = {at, gap_end, object->past, Clock()};
      cell->carried.assign(object->carried);
    }
    at = cell->end;
  }
  object->is_divided = true;
}

// False: nobody else has any of its bytes.
bool divide_overlapping(const ObjectRecord* object, Granule* granule) {
  bool any = false;
  uint64_t begin = object->address % kGranuleBytes;
  uint64_t end = begin + object->bytes < kGranuleBytes ? begin + object->bytes : kGranuleBytes;
  uint64_t own = ((uint64_t{1} << end) - 1) & ~((uint64_t{1} << begin) - 1);
  bool is_shared = (granule->covered & own) != 0;
  granule->covered |= own;
  auto look_at = [&](uint32_t number) {
    ObjectRecord* other = &g_records[number];
    if (other == object || !overlap(object, other)) return;
    if (!other->is_divided) divide(other);
    any = true;
  };
  if (is_wide(object->address, object->bytes)) {
    for (uint32_t i = 1; i <= g_record_count; ++i) look_at(i);
    return any;
  }
  for (uint64_t i = 0; i < g_wide_count; ++i) look_at(g_wide[i]);
  for (uint32_t first : granule->first) {
    if (!is_shared) break;
    for (uint32_t i = first; i != 0; i = g_records[i].same_beginning) look_at(i);
  }
  return any;
}

// False: the kernel has chosen the address, and the memory may go any time.
bool find_name(uint64_t address, uint64_t* name) {
  *name = address;
  // No address: a thread (see child_id()), or nothing.
  if (address >> 63 != 0 || address == 0) return false;
  uint32_t owner;
  uint64_t offset;
  auto id_of = [](uint32_t thread) {
    return thread < g_run.thread_count ? g_threads[thread].id : thread;
  };
  if (heap_offset(address, &owner, &offset)) {
    *name = mix(id_of(owner), kMix1) + offset;
    return true;
  }
  if (channel_name(address, name) || module_offset(address, name)) return true;
  if (stack_offset(address, &owner, &offset)) {
    *name = mix(id_of(owner), kMix2) - offset;
    return true;
  }
  return false;
}

ObjectRecord* make_record(Granule* granule, uint64_t address, uint64_t bytes) {
  HEDDLE_INVARIANT(g_record_count + 1 < kMaxRecords);
  auto number = static_cast<uint32_t>(++g_record_count);
  ObjectRecord* record = &g_records[number];
  uint32_t* first = &granule->first[address % kGranuleBytes];
  uint64_t name;
  bool is_readable = find_name(address, &name);
  record->bytes = bytes;
  record->name = name;
  record->user = 0;
  record->is_divided = false;
  record->is_readable = is_readable;
  record->past = {};
  record->carried = Clock();
  record->address = address;
  record->same_beginning = 0;
  record->maker = 0;  // the rest of that is void
  // The first of those with the same address is the one that is found at once.
  if (*first == 0) {
    *first = number;
  } else {
    record->same_beginning = g_records[*first].same_beginning;
    g_records[*first].same_beginning = number;
  }
  if (is_wide(address, bytes)) g_wide[g_wide_count++] = number;
  if (divide_overlapping(record, granule)) {
    divide(record);
    g_objects_overlap = true;
  }
  return record;
}

}  // namespace

void objects_begin() {
  g_granules = static_cast<Granule*>(own_memory(kFirstGranules * sizeof(Granule)));
  g_granule_mask = kFirstGranules - 1;
  g_records = static_cast<ObjectRecord*>(own_memory(kMaxRecords * sizeof(ObjectRecord)));
  g_cells = static_cast<ObjectCell*>(own_memory(kMaxCells * sizeof(ObjectCell)));
  g_wide = static_cast<uint32_t*>(own_memory(kMaxRecords * sizeof(uint32_t)));
}

void forget_objects() {
  ++g_object_epoch;
  g_granule_count = g_record_count = g_cell_count = g_wide_count = 0;
  g_objects_overlap = false;
}

uint64_t object_name(uint64_t address) {
  uint64_t name;
  find_name(address, &name);
  return name;
}

ObjectRecord* find_object_slow(uint64_t address, uint64_t bytes) {
  uint64_t number = address / kGranuleBytes;
  Granule* granule = find_or_make_granule(number);
  uint32_t i = granule->first[address % kGranuleBytes];
  for (; i != 0; i = g_records[i].same_beginning) {
    if (g_records[i].bytes == bytes) return &g_records[i];
  }
  return make_record(granule, address, bytes);
}

CellRow cells_of(const ObjectRecord* object) {
  ObjectCell* first = lower_bound(object->address);
  ObjectCell* last = first;
  while (last < g_cells + g_cell_count && last->begin < object->address + object->bytes) ++last;
  return {first, last};
}

bool is_used_by_others(uint64_t address, uint64_t bytes, uint32_t thread) {
  auto is_used = [&](uint32_t number) {
    const ObjectRecord& object = g_records[number];
    return object.user != thread + 1 && object.user != 0 &&
           wire::overlap(address, bytes, object.address, object.bytes);
  };
  uint64_t granules = bytes / kGranuleBytes + 2;
  if (granules > g_record_count) {
    for (uint32_t i = 1; i <= g_record_count; ++i) {
      if (is_used(i)) return true;
    }
    return false;
  }
  uint64_t end = (address + bytes - 1) / kGranuleBytes;
  for (uint64_t number = address / kGranuleBytes; number <= end; ++number) {
    const Granule* granule = find_granule(number);
    if (granule == nullptr) continue;
    for (uint32_t first : granule->first) {
      for (uint32_t i = first; i != 0; i = g_records[i].same_beginning) {
        if (is_used(i)) return true;
      }
    }
  }
  for (uint64_t i = 0; i < g_wide_count; ++i) {
    if (is_used(g_wide[i])) return true;
  }
  return false;
}

}  // namespace heddle::runtime
