// Signals that mean a failure of the program: crashes, abort, and the engine's question whether it
// hangs.
#pragma once

namespace heddle::runtime {

// Once for each worker: handlers on a stack of their own.
void signals_begin();
// Forgets the handlers that the execution has installed for such signals.
void signals_reset();

}  // namespace heddle::runtime
