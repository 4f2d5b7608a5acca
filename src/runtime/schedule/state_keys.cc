#include "runtime/schedule/state_keys.h"

#include "base/hash.h"
#include "runtime/filter/fair.h"
#include "runtime/record/notes.h"
#include "runtime/record/states.h"

namespace heddle::runtime {

void note_state() {
  const Run& run = g_run;
  uint64_t state = g_state.callback != nullptr ? g_state_hash : run.fingerprint;
  if (g_fair) state = mix(state, fair_state());
  note(run.step);
  note(state);
  note(run.current->id);
}

}  // namespace heddle::runtime
