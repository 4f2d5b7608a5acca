// See witness.h.
#include "runtime/detect/witness.h"

namespace heddle::runtime {

void set_disputed(uint64_t address) { wire::detail(g_region)->disputed = address; }

wire::Witness* add_witness(wire::Role role, uint32_t thread) {
  wire::Detail* detail = wire::detail(g_region);
  HEDDLE_INVARIANT(detail->witness_count < wire::kMaxWitnesses);
  wire::Witness* witness = &detail->witnesses[detail->witness_count++];
  *witness = {};
  witness->role = role;
  witness->thread = thread;
  return witness;
}

}  // namespace heddle::runtime
