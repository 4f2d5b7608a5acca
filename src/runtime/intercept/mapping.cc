// Memory that the program maps for itself. Taking it away, or changing what may be done with it,
// ends a life: whoever uses the memory at the same time would notice.
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "runtime/detect/lifetime.h"
#include "runtime/isolate/aliases.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/real.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

uint64_t address_of(const void* memory) { return reinterpret_cast<uint64_t>(memory); }

void forget(const void* memory, uint64_t bytes) {
  if (!g_active) return;
  forget_mappings(address_of(memory), bytes);
  forget_shared_mapping(memory, bytes);
}

// `replaces`: there was something else at the address, and whoever still means that would notice.
void begin_mapping(void* memory, uint64_t bytes, bool replaces, uint64_t pc) {
  if (!g_engine_works) g_has_mappings = true;
  if (!g_active) return;
  note_mapping(address_of(memory), bytes);
  if (keeps_accesses()) shadow_forget(address_of(memory), bytes);
  if (replaces) note_end_of_life(address_of(memory), bytes, pc);
}

void before_change(const void* memory, uint64_t bytes, uint64_t pc) {
  if (!g_active) return;
  reach_end_of_life(wire::Op::remap, address_of(memory), bytes, pc);
  note_end_of_life(address_of(memory), bytes, pc);
}

}  // namespace

HEDDLE_EXPORT void* mmap(void* address, size_t bytes, int protection, int flags, int fd,
                         off_t offset) noexcept {
  bool replaces = (flags & MAP_FIXED) != 0;
  if (replaces) before_change(address, bytes, HEDDLE_CALLER);
  void* memory = HEDDLE_REAL(mmap)(address, bytes, protection, flags, fd, offset);
  if (memory == MAP_FAILED) return memory;
  if (replaces) forget(memory, bytes);
  begin_mapping(memory, bytes, replaces, HEDDLE_CALLER);
  note_shared_mapping(memory, bytes, protection, flags, fd, offset);
  return memory;
}

HEDDLE_EXPORT int munmap(void* address, size_t bytes) noexcept {
  before_change(address, bytes, HEDDLE_CALLER);
  forget(address, bytes);
  return HEDDLE_REAL(munmap)(address, bytes);
}

HEDDLE_EXPORT void* mremap(void* address, size_t old_bytes, size_t bytes, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* wanted = (flags & MREMAP_FIXED) != 0 ? va_arg(list, void*) : nullptr;
  va_end(list);
  before_change(address, old_bytes, HEDDLE_CALLER);
  void* memory = HEDDLE_REAL(mremap)(address, old_bytes, bytes, flags, wanted);
  if (memory == MAP_FAILED) return memory;
  forget(address, old_bytes);
  if (old_bytes == 0) note_alias();
  begin_mapping(memory, bytes, memory == address || wanted != nullptr, HEDDLE_CALLER);
  return memory;
}

HEDDLE_EXPORT int mprotect(void* address, size_t bytes, int protection) noexcept {
  before_change(address, bytes, HEDDLE_CALLER);
  return HEDDLE_REAL(mprotect)(address, bytes, protection);
}

// Only some kinds of advice change what is there.
HEDDLE_EXPORT int madvise(void* address, size_t bytes, int advice) noexcept {
  bool discards = advice == MADV_DONTNEED || advice == MADV_REMOVE || advice == MADV_FREE;
  if (discards) before_change(address, bytes, HEDDLE_CALLER);
  return HEDDLE_REAL(madvise)(address, bytes, advice);
}

// A segment goes with its last mapping, if it is marked to.
HEDDLE_EXPORT void* shmat(int id, const void* address, int flags) noexcept {
  void* memory = HEDDLE_REAL(shmat)(id, address, flags);
  shmid_ds segment;
  if (memory == reinterpret_cast<void*>(-1) || shmctl(id, IPC_STAT, &segment) != 0) return memory;
  begin_mapping(memory, segment.shm_segsz, (flags & SHM_REMAP) != 0, HEDDLE_CALLER);
  note_segment(id, memory, segment.shm_segsz);
  return memory;
}
