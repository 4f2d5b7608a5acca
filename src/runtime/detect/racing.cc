// See racing.h. Places are known to the engine by their names (object_name), which are the same in
// every process, and to the hooks by their pc.
#include "runtime/detect/racing.h"

#include "base/hash.h"
#include "runtime/detect/plain_spin.h"
#include "runtime/record/fingerprint.h"

namespace heddle::runtime {

bool g_explore_races;
bool g_learns_places;
bool g_has_places;
uint64_t g_racing_key;

namespace {

// What is known of a pc; direct mapped.
struct Known {
  uint64_t pc;
  bool racing;
};
constexpr uint64_t kKnown = 1 << 14;
Known g_known[kKnown];

// Whether the search has it for an operation.
bool is_known(uint64_t name) {
  const uint64_t* names = wire::racing(g_region);
  uint32_t low = 0;
  uint32_t high = g_region->racing_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    (names[middle] < name ? low : high) = names[middle] < name ? middle + 1 : middle;
  }
  return low < g_region->racing_count && names[low] == name;
}

bool is_new(uint32_t found, uint64_t name) {
  for (uint32_t i = 0; i < found; ++i) {
    if (g_region->racing_new[i] == name) return true;
  }
  return false;
}

}  // namespace

void racing_begin() {
  g_explore_races = g_region->config.races == wire::Races::explore;
  g_learns_places = g_region->config.learns_places != 0;
  g_has_places = g_region->racing_count != 0;
}

void racing_begin_run() {
  g_region->racing_found.store(0, std::memory_order_relaxed);
  g_racing_key = 0;
  plain_spin_begin_run();
}

bool is_racing_slow(uint64_t pc) {
  if (HEDDLE_UNLIKELY(g_watches_plain_spin)) watch_plain_spin(pc);
  Known& known = g_known[mix(pc, 1) % kKnown];
  if (known.pc != pc) {
    known = {pc, is_known(object_name(pc))};
  }
  return known.racing;
}

bool is_suppressed_race(uint64_t key) { return g_has_places && is_known(key); }

void note_racing(uint64_t pc) {
  uint64_t name = object_name(pc);
  uint32_t found = g_region->racing_found.load(std::memory_order_relaxed);
  if (found == wire::kMaxNewRacing || is_known(name) || is_new(found, name)) return;
  g_racing_key += mix(name, 0);
  g_region->racing_new[found] = name;
  g_region->racing_new_pc[found] = pc;
  g_region->racing_found.store(found + 1, std::memory_order_release);
}

}  // namespace heddle::runtime
