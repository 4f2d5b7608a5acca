// A hash of the program's memory: whether it is what it was some steps ago.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace heddle::runtime {

// Of whole words; what is left behind the last one does not count. Four at a time, which do not
// wait for each other.
inline uint64_t hash_memory(uint64_t begin, uint64_t bytes) {
  const auto* word = reinterpret_cast<const uint64_t*>(begin);
  const uint64_t* end = word + bytes / sizeof(uint64_t);
  // kMix1 would be mixed with any word to 0.
  uint64_t lanes[4] = {begin, bytes, kMix2, ~kMix2};
  for (; end - word >= 4; word += 4) {
    for (int i = 0; i < 4; ++i) lanes[i] = mix(lanes[i], word[i]);
  }
  for (; word != end; ++word) lanes[0] = mix(lanes[0], *word);
  return mix(mix(lanes[0], lanes[1]), mix(lanes[2], lanes[3]));
}

// Of all that threads share: the writable segments of the program and its libraries, libc, the
// dynamic linker and ours excepted, and the blocks of the heap that are in use. What has been
// freed, and where the next block will be, does not count. `bytes` grows by what was looked at.
uint64_t shared_memory_hash(uint64_t* bytes);

}  // namespace heddle::runtime
