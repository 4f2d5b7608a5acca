#include "runtime/isolate/memory_hash.h"

#include "runtime/isolate/arena.h"
#include "runtime/isolate/snapshot.h"

namespace heddle::runtime {

namespace {

struct Sum {
  uint64_t hash;
  uint64_t bytes;
};
Sum g_sum;

// In whatever order.
void add(uint64_t begin, uint64_t bytes) {
  g_sum.hash += hash_memory(begin, bytes);
  g_sum.bytes += bytes;
}

// A block has room for whole words.
void add_block(uint64_t begin, uint64_t bytes) { add(begin, (bytes + 7) & ~uint64_t{7}); }

}  // namespace

uint64_t shared_memory_hash(uint64_t* bytes) {
  g_sum = {};
  snapshot_changed(add);
  arena_living(add_block);
  *bytes += g_sum.bytes;
  return g_sum.hash;
}

}  // namespace heddle::runtime
