// See addressable.h.
#include "runtime/isolate/addressable.h"

#include <sys/mman.h>

#include "runtime/fill.h"
#include "runtime/real.h"

namespace heddle::runtime {

bool addressable_begin() {
  auto* base = reinterpret_cast<void*>(kAddressableBase);
  void* memory =
      HEDDLE_REAL(mmap)(base, kHeapSpan / 8, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  return memory == base;
}

void mark_living(uint64_t pointer, uint64_t size) {
  *header_mark(pointer) = kLivingHeader;
  fill(addressable_at(pointer), kWhole, size / 8);
  if (size % 8 != 0) *addressable_at(pointer + size) = static_cast<uint8_t>(size % 8);
}

void mark_freed(uint64_t pointer, uint64_t size) {
  *header_mark(pointer) = kFreedHeader;
  fill(addressable_at(pointer), kFreedBytes, (size + 7) / 8);
}

void mark_unused(uint64_t begin, uint64_t end) {
  fill(addressable_at(begin), 0, (end - begin) / 8);
}

}  // namespace heddle::runtime
