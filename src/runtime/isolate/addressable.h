// Which bytes of the program's heap belong to a living block: one byte of shadow for eight of the
// heap, at a fixed distance. The arena keeps it; detect/heap.h asks it at every access.
//
// Between two blocks lies the header of the second, which belongs to nobody; so an access that runs
// over the end of a block, by not too much, is seen.
#pragma once

#include <cstdint>

#include "runtime/isolate/arena.h"

namespace heddle::runtime {

inline constexpr uint64_t kAddressableBase = 0x400000000000;
inline constexpr uint64_t kHeapSpan = kCommonHeapBase + kCommonHeapSize - kHeapBase;

// Values of the shadow. 0 is memory that was never handed out, the room between blocks included.
inline constexpr uint8_t kWhole = 8;  // all eight bytes; 1 to 7: the first so many
inline constexpr uint8_t kFreedBytes = 0xf0;
inline constexpr uint8_t kLivingHeader = 0xe1;  // at the 8 bytes before a pointer handed out
inline constexpr uint8_t kFreedHeader = 0xe2;

inline bool in_heap(uint64_t address) { return address - kHeapBase < kHeapSpan; }
inline uint8_t* addressable_at(uint64_t address) {
  return reinterpret_cast<uint8_t*>(kAddressableBase + ((address - kHeapBase) >> 3));
}
inline uint8_t* header_mark(uint64_t pointer) { return addressable_at(pointer - 8); }

// All of the shadow, as address space. False: there is none to be had.
bool addressable_begin();

void mark_living(uint64_t pointer, uint64_t size);
void mark_freed(uint64_t pointer, uint64_t size);
void mark_unused(uint64_t begin, uint64_t end);

}  // namespace heddle::runtime
