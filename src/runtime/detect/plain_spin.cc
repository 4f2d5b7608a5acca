#include "runtime/detect/plain_spin.h"

#include "runtime/carrier/local_state.h"
#include "runtime/detect/racing.h"
#include "runtime/ending/ending.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

uint32_t g_repetitions;
bool g_watches_plain_spin;

namespace {

constexpr uint64_t kDeepest = 16384;        // bytes of the stack that are looked at
constexpr uint32_t kLongestLoop = 1 << 16;  // accesses
constexpr uint32_t kMisses = 1000;          // the same place, but not the same registers and stack
constexpr uint32_t kPlaces = 16;            // of a loop that become operations

// The loop that is looked for. The place to come back to is set anew after 1, 2, 4, … accesses.
struct Loop {
  uint32_t step;  // that the execution stands before
  uint64_t anchor;
  uint64_t local;
  uint32_t accesses;
  uint32_t patience;
  uint32_t misses;
  uint32_t place_count;
  uint64_t places[kPlaces];
};
Loop g_loop;
uint32_t g_last_look;  // the step that the execution stood before then

void stop_watching() {
  g_watches_plain_spin = false;
  g_has_places = g_region->places.point_count != 0;
}

void begin_loop(uint64_t pc) {
  g_loop.anchor = pc;
  g_loop.local = local_state(g_run.current, kDeepest).hash;
  g_loop.accesses = 0;
  g_loop.place_count = 0;
  if (g_loop.patience < kLongestLoop) g_loop.patience *= 2;
}

void add_place(uint64_t pc) {
  for (uint32_t i = 0; i < g_loop.place_count; ++i) {
    if (g_loop.places[i] == pc) return;
  }
  if (g_loop.place_count < kPlaces) g_loop.places[g_loop.place_count++] = pc;
}

}  // namespace

void plain_spin_begin_run() {
  g_repetitions = 0;
  g_last_look = wire::kNoStep;
  if (g_watches_plain_spin) stop_watching();
}

void look_for_plain_spin() {
  g_repetitions = 0;
  bool has_stood_still = g_last_look == g_run.step;
  g_last_look = g_run.step;
  if (!has_stood_still) return;
  g_loop = {};
  g_loop.step = g_run.step;
  g_loop.patience = 1;
  g_watches_plain_spin = true;
  g_has_places = true;
}

void watch_plain_spin(uint64_t pc) {
  if (g_run.step != g_loop.step || g_loop.misses > kMisses) return stop_watching();
  if (g_loop.anchor == 0 || ++g_loop.accesses > g_loop.patience) begin_loop(pc);
  add_place(pc);
  if (pc != g_loop.anchor || g_loop.accesses == 0) return;
  uint64_t local = local_state(g_run.current, kDeepest).hash;
  if (local == 0 || local != g_loop.local) {
    ++g_loop.misses;
    return;
  }
  for (uint32_t i = 0; i < g_loop.place_count; ++i) note_racing(g_loop.places[i]);
  if (g_racing_key == 0) return stop_watching();
  end_run(wire::Ending::redundant);  // the search begins again, with these places
}

}  // namespace heddle::runtime
