// See racing.h. Places are known to the engine by their names (object_name), which are the same in
// every process, and to the hooks by their pc.
#include "runtime/detect/racing.h"

#include "base/hash.h"
#include "runtime/detect/plain_spin.h"
#include "runtime/record/fingerprint.h"
#include "runtime/record/places.h"
#include "runtime/record/retry.h"
#include "runtime/run.h"

namespace heddle::runtime {

bool g_explore_races;
bool g_learns_places;
bool g_has_places;
uint64_t g_racing_key;

void racing_begin() {
  g_explore_races = g_region->config.races == wire::Races::explore;
  g_learns_places = g_region->config.learns_places != 0;
  g_has_places = g_region->places.point_count != 0 || g_region->places.route.count != 0;
}

void racing_begin_run() {
  g_region->racing_found.count.store(0, std::memory_order_relaxed);
  g_region->has_wanted.store(0, std::memory_order_relaxed);
  g_racing_key = 0;
  plain_spin_begin_run();
}

bool is_racing_slow(uint64_t pc) {
  if (HEDDLE_UNLIKELY(g_watches_plain_spin)) watch_plain_spin(pc);
  return (place_attributes(pc) & wire::kRacingPlace) != 0;
}

bool is_suppressed_race(uint64_t key) { return g_has_places && point_attributes(key) != 0; }

void note_racing(uint64_t pc, uint64_t other) {
  uint64_t name = object_name(pc);
  if (point_attributes(name) != 0) return;
  if (g_region->racing_found.add({name, pc, wire::Found::racing, 0, other}))
    g_racing_key += mix(name, 0);
}

void retry_tells() {
  if (g_covers_rounds || g_run.thread_count < 2) return;
  wire::FoundPlace nowhere{kTellsWithoutOrder, 0, wire::Found::racing, 0, 0};
  if (g_region->racing_found.add(nowhere)) g_racing_key += kTellsWithoutOrder;
}

}  // namespace heddle::runtime
