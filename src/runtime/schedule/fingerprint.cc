// The table of objects of an execution, and their names.
#include "runtime/schedule/fingerprint.h"

#include <sys/mman.h>

#include "runtime/carrier/slots.h"
#include "runtime/isolate/arena.h"
#include "runtime/isolate/modules.h"
#include "runtime/real.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/sync/descriptors.h"

namespace heddle::runtime {

namespace {

uint64_t g_object_count;  // in this execution
ObjectRecord g_first_table[kObjectTableSize];

void insert(ObjectRecord* table, uint64_t mask, const ObjectRecord& record) {
  uint64_t i = (record.key * kMix1) >> 40;
  while (table[i & mask].epoch == g_object_epoch) ++i;
  table[i & mask] = record;
}

// Twice as large; the old table stays mapped for the process's life, which at most doubles what is
// used.
void grow() {
  uint64_t size = (g_object_mask + 1) * 2;
  void* memory = HEDDLE_REAL(mmap)(nullptr, size * sizeof(ObjectRecord), PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  HEDDLE_INVARIANT(memory != MAP_FAILED);
  auto* table = static_cast<ObjectRecord*>(memory);
  for (uint64_t i = 0; i <= g_object_mask; ++i) {
    if (g_objects[i].epoch == g_object_epoch) insert(table, size - 1, g_objects[i]);
  }
  g_objects = table;
  g_object_mask = size - 1;
}

}  // namespace

ObjectRecord* g_objects = g_first_table;
uint64_t g_object_mask = kObjectTableSize - 1;
uint64_t g_object_epoch = 1;

uint64_t object_name(uint64_t address) {
  uint32_t owner;
  uint64_t offset;
  if (channel_name(address, &offset)) return offset;
  if (module_offset(address, &offset)) return offset;
  if (heap_offset(address, &owner, &offset) || stack_offset(address, &owner, &offset)) {
    uint64_t id = owner < g_run.thread_count ? g_threads[owner].id : owner;
    return mix(id, offset);
  }
  return address;
}

ObjectRecord* new_object(uint64_t address) {
  if (g_object_count >= (g_object_mask + 1) / 2) grow();
  ++g_object_count;
  ObjectRecord record{address, g_object_epoch, object_name(address), 0, 0, Clock()};
  uint64_t i = (address * kMix1) >> 40;
  while (g_objects[i & g_object_mask].epoch == g_object_epoch) ++i;
  ObjectRecord* place = &g_objects[i & g_object_mask];
  *place = record;
  return place;
}

void forget_objects() {
  ++g_object_epoch;
  g_object_count = 0;
}

}  // namespace heddle::runtime
