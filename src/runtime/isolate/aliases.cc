// See aliases.h.
#include "runtime/isolate/aliases.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/raw_call.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

bool g_shares_files;

namespace {

constexpr uint32_t kMaxMappings = 1024;
constexpr uint64_t kSegments = ~uint64_t{0};  // in the place of a device

struct SharedMapping {
  uint64_t begin, bytes;
  uint64_t device, file, offset;
  bool is_written;
};

SharedMapping g_mappings[kMaxMappings];
uint32_t g_count, g_kept;
bool g_aliased, g_aliased_from_the_start;

bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

void add(const SharedMapping& one) {
  for (uint32_t i = 0; i < g_count; ++i) {
    const SharedMapping& other = g_mappings[i];
    if (other.device == one.device && other.file == one.file &&
        (other.is_written || one.is_written) &&
        overlap(other.offset, other.bytes, one.offset, one.bytes)) {
      note_alias();
    }
  }
  // Of more than these nobody knows which are the same.
  if (g_count == kMaxMappings) return note_alias();
  g_mappings[g_count++] = one;
  g_shares_files = true;
}

void tell() {
  if (g_region != nullptr) g_region->unvaried.fetch_or(wire::kAliases, std::memory_order_relaxed);
}

}  // namespace

void note_alias() {
  g_aliased = true;
  tell();
}

void note_shared_mapping(const void* memory, uint64_t bytes, int protection, int flags, int fd,
                         int64_t offset) {
  bool is_shared = (flags & MAP_TYPE) == MAP_SHARED || (flags & MAP_TYPE) == MAP_SHARED_VALIDATE;
  if (g_engine_works || !is_shared || (flags & MAP_ANONYMOUS) != 0) return;
  struct stat file;
  if (raw_call(SYS_fstat, fd, raw_argument(&file), 0) != 0) return;
  add({reinterpret_cast<uint64_t>(memory), bytes, file.st_dev, file.st_ino,
       static_cast<uint64_t>(offset), (protection & PROT_WRITE) != 0});
}

void note_segment(int id, const void* memory, uint64_t bytes) {
  if (g_engine_works) return;
  add({reinterpret_cast<uint64_t>(memory), bytes, kSegments, static_cast<uint64_t>(id), 0, true});
}

// One that goes only in part counts as if all of it stayed.
void forget_shared_mapping(const void* memory, uint64_t bytes) {
  auto begin = reinterpret_cast<uint64_t>(memory);
  for (uint32_t i = g_count; i-- > g_kept;) {
    const SharedMapping& one = g_mappings[i];
    if (begin <= one.begin && one.begin + one.bytes <= begin + bytes)
      g_mappings[i] = g_mappings[--g_count];
  }
}

void note_use_of_file(int fd) {
  struct stat file;
  if (raw_call(SYS_fstat, fd, raw_argument(&file), 0) != 0) return;
  for (uint32_t i = 0; i < g_count; ++i) {
    if (g_mappings[i].device == file.st_dev && g_mappings[i].file == file.st_ino) note_alias();
  }
}

void aliases_begin() {
  g_kept = g_count;
  g_aliased_from_the_start = g_aliased;
  if (g_aliased) tell();
}

void aliases_undo() {
  g_count = g_kept;
  g_aliased = g_aliased_from_the_start;
  g_shares_files = g_count != 0;
}

}  // namespace heddle::runtime
