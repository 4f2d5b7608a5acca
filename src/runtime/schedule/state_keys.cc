#include "runtime/schedule/state_keys.h"

#include "base/hash.h"
#include "runtime/filter/fair.h"
#include "runtime/record/notes.h"
#include "runtime/record/objects.h"
#include "runtime/record/states.h"

namespace heddle::runtime {

namespace {

// What the test says of the state, and where its threads are: it need not say that.
uint64_t declared_state() {
  const Run& run = g_run;
  uint64_t hash = g_state_hash;
  for (uint32_t i = 0; i < run.living_count; ++i) {
    const Thread* thread = run.living[i];
    const Pending& pending = thread->pending;
    uint64_t what = static_cast<uint64_t>(pending.op) << 8 | static_cast<uint64_t>(thread->state);
    if (wire::op_effect(pending.op) != '-') {
      what = mix(what, find_object(pending.object, pending.bytes)->name);
    }
    hash = mix(hash, mix(mix(thread->id, what), object_name(pending.pc)));
  }
  return hash;
}

}  // namespace

void note_state() {
  const Run& run = g_run;
  uint64_t state = g_state.callback != nullptr ? declared_state() : run.fingerprint;
  if (g_fair) state = mix(state, fair_state());
  note(run.step);
  note(state);
  note(run.current->id);
}

}  // namespace heddle::runtime
