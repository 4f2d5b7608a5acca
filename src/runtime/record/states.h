// The state that a test declares (heddle::state): its function is called after each step, and what
// it returns goes to the region, if this process has not sent it before.
//
// While the function runs nothing is under control (g_active is false): its atomics are no steps,
// and what it allocates is libc's. It runs on the stack of whichever thread has made the step.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/runtime.h"

namespace heddle::runtime {

using StateCallback = size_t (*)(void* context, void* buffer, size_t size);

struct DeclaredState {
  StateCallback callback;  // null: there is none
  void* context;
  bool refers;      // to something that may be on the stack of the thread that declared it
  uint32_t thread;  // that one
};
extern DeclaredState g_state;

void declare_state(StateCallback callback, void* context);
void declare_state_copy(StateCallback callback, const void* context, size_t context_size);

// To be called where a step is complete: when a thread has announced its next operation.
void visit_state_slow();
inline void visit_state() {
  if (HEDDLE_UNLIKELY(g_state.callback != nullptr)) visit_state_slow();
}

// The running thread has returned from its function: what was on its stack is gone.
void state_function_returned();
void states_forget();  // there is none from now on
void states_begin_run();
// All states are new from now on: they are to be sent again.
void states_forget_sent();

// Of what the function has returned last.
extern uint64_t g_state_hash;

// What the execution has put into the region's state area, in bytes.
extern uint32_t g_state_bytes;
extern uint64_t g_state_seal;  // of these bytes: wire/seal.h

}  // namespace heddle::runtime
