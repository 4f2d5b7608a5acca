// The malloc family. What libc itself asks for is libc's, and lives in libc's own heap: its memory
// must outlast an execution.
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "runtime/detect/heap.h"
#include "runtime/detect/lifetime.h"
#include "runtime/detect/races.h"
#include "runtime/hooks/library.h"
#include "runtime/isolate/arena.h"
#include "runtime/isolate/modules.h"
#include "runtime/real.h"
#include "runtime/record/names.h"
#include "runtime/record/states.h"
#include "runtime/runtime.h"

extern "C" {
void* __libc_malloc(size_t);
void __libc_free(void*);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

using namespace heddle;
using namespace heddle::runtime;

namespace {

// What the function of heddle::state allocates must leave no trace in the program's heap.
bool is_programs(uint64_t caller) {
  return (g_active || arena_serves()) && !in_libc(caller) && !g_in_state;
}

uint64_t address_of(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

// The block begins a new life: what was done to its memory before has nothing to do with it.
void begin_life(void* memory, size_t size) {
  if (keeps_accesses()) shadow_forget(address_of(memory), size);
  names_forget(address_of(memory), size);
  block_allocated(address_of(memory), size);
}

void end_life(void* memory, uint64_t pc) {
  reach_end_of_life(wire::Op::free, address_of(memory), arena_size(memory), pc);
  check_free(address_of(memory), pc);
  note_end_of_life(address_of(memory), arena_size(memory), pc);
  block_freed(address_of(memory));
}

void* allocate(size_t size, size_t alignment) {
  no_round();
  void* memory = arena_allocate(size, alignment);
  if (memory == nullptr) {
    errno = ENOMEM;
  } else if (g_active) {
    begin_life(memory, size);
  }
  return memory;
}

void release(void* memory, uint64_t pc) {
  no_round();
  if (!g_active) return arena_free(memory);
  end_life(memory, pc);
  uint64_t bytes = arena_size(memory);
  arena_free(memory, pc);
  release_waiters(address_of(memory), bytes);
}

void* resize(void* memory, size_t size, uint64_t pc) {
  no_round();
  size_t old_size = arena_size(memory);
  if (g_active) end_life(memory, pc);
  // One that stays where it is would hide from another thread that its pointer is void.
  bool moves = g_active && g_run.thread_count > 1;
  void* moved = arena_reallocate(memory, size, moves, pc);
  if (g_active && moved != nullptr && moved != memory) {
    release_waiters(address_of(memory), old_size);
  }
  if (moved == nullptr) errno = ENOMEM;
  if (g_active)
    begin_life(moved != nullptr ? moved : memory, arena_size(moved != nullptr ? moved : memory));
  return moved;
}

bool is_power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

void* aligned(size_t alignment, size_t size, uint64_t caller) {
  if (!is_programs(caller)) return __libc_memalign(alignment, size);
  if (!is_power_of_two(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return allocate(size, alignment);
}

}  // namespace

HEDDLE_EXPORT void* malloc(size_t size) {
  return is_programs(HEDDLE_CALLER) ? allocate(size, 16) : __libc_malloc(size);
}

HEDDLE_EXPORT void free(void* pointer) {
  if (pointer == nullptr) return;
  if (in_arena(pointer)) return release(pointer, HEDDLE_CALLER);
  // A block of libc's own heap (getline, asprintf): whoever gets it next has nothing to do with
  // this.
  if (g_active && keeps_accesses()) {
    size_t bytes = HEDDLE_REAL(malloc_usable_size)(pointer);
    note_end_of_life(address_of(pointer), bytes, HEDDLE_CALLER);
    shadow_forget(address_of(pointer), bytes);
  }
  __libc_free(pointer);
}

HEDDLE_EXPORT void* calloc(size_t count, size_t size) {
  if (!is_programs(HEDDLE_CALLER)) return __libc_calloc(count, size);
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return allocate(bytes, 16);  // always zero
}

HEDDLE_EXPORT void* realloc(void* pointer, size_t size) {
  if (pointer == nullptr)
    return is_programs(HEDDLE_CALLER) ? allocate(size, 16) : __libc_realloc(pointer, size);
  if (!in_arena(pointer)) return __libc_realloc(pointer, size);
  if (size == 0) {
    release(pointer, HEDDLE_CALLER);
    return nullptr;
  }
  return resize(pointer, size, HEDDLE_CALLER);
}

HEDDLE_EXPORT void* reallocarray(void* pointer, size_t count, size_t size) noexcept {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(pointer, bytes);
}

HEDDLE_EXPORT void* memalign(size_t alignment, size_t size) {
  return aligned(alignment, size, HEDDLE_CALLER);
}

HEDDLE_EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  return aligned(alignment, size, HEDDLE_CALLER);
}

HEDDLE_EXPORT int posix_memalign(void** result, size_t alignment, size_t size) noexcept {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  int before = errno;
  void* memory = aligned(alignment, size, HEDDLE_CALLER);
  errno = before;
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}

HEDDLE_EXPORT void* valloc(size_t size) { return aligned(4096, size, HEDDLE_CALLER); }

HEDDLE_EXPORT void* pvalloc(size_t size) {
  return aligned(4096, (size + 4095) & ~size_t{4095}, HEDDLE_CALLER);
}

HEDDLE_EXPORT size_t malloc_usable_size(void* pointer) {
  if (pointer == nullptr) return 0;
  if (in_arena(pointer)) return arena_size(pointer);
  return HEDDLE_REAL(malloc_usable_size)(pointer);
}

// Their results are the program's, though libc's code would allocate them.
HEDDLE_EXPORT char* strdup(const char* text) noexcept {
  size_t size = strlen(text) + 1;
  reads(text, size, HEDDLE_CALLER);
  auto* copy =
      static_cast<char*>(is_programs(HEDDLE_CALLER) ? allocate(size, 16) : __libc_malloc(size));
  return copy != nullptr ? static_cast<char*>(memcpy(copy, text, size)) : nullptr;
}

HEDDLE_EXPORT char* strndup(const char* text, size_t limit) noexcept {
  size_t size = strnlen(text, limit);
  reads(text, size < limit ? size + 1 : limit, HEDDLE_CALLER);
  auto* copy = static_cast<char*>(is_programs(HEDDLE_CALLER) ? allocate(size + 1, 16)
                                                             : __libc_malloc(size + 1));
  if (copy == nullptr) return nullptr;
  memcpy(copy, text, size);
  copy[size] = '\0';
  return copy;
}
