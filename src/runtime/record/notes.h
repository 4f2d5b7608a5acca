// Notes: words that an execution leaves for the strategy that has asked for them (wire::kNoteReads,
// wire::kNoteStates).
#pragma once

#include "runtime/run.h"

namespace heddle::runtime {

// False: there is no room.
inline bool note(uint64_t word) {
  if (g_run.note_count == wire::kMaxNotes) return false;
  g_run.note_seal += wire::seal_of_word(wire::Area::notes, g_run.note_count, word);
  wire::notes(g_region)[g_run.note_count++] = word;
  return true;
}

// One that is there already gets another word.
inline void change_note(uint32_t index, uint64_t word) {
  uint64_t& old = wire::notes(g_region)[index];
  g_run.note_seal += wire::seal_of_word(wire::Area::notes, index, word) -
                     wire::seal_of_word(wire::Area::notes, index, old);
  old = word;
}

}  // namespace heddle::runtime
