// See focus.h.
#include "runtime/record/focus.h"

#include "base/hash.h"
#include "runtime/record/names.h"
#include "runtime/record/places.h"
#include "runtime/run.h"

namespace heddle::runtime {

bool g_focus;
bool g_focus_calls;

namespace {

bool g_focus_data;

// What is known of a variable, as long as nothing is named; direct mapped.
struct Known {
  uint64_t address;
  uint64_t generation;
  bool in_focus;
};
constexpr uint64_t kKnown = 1 << 14;
Known g_known_data[kKnown];
uint64_t g_generation;

bool is_focus_code(uint64_t pc) { return (place_attributes(pc) & wire::kFocusPlace) != 0; }

bool is_focus_data(uint64_t address) {
  Known& known = g_known_data[mix(address, 1) % kKnown];
  uint64_t generation = g_generation + g_names_generation;
  if (known.address != address || known.generation != generation) {
    bool in_focus =
        has_name_in_focus(address) || (data_attributes(address) & wire::kFocusPlace) != 0;
    known = {address, generation, in_focus};
  }
  return known.in_focus;
}

}  // namespace

void focus_begin() {
  const wire::Places& places = g_region->places;
  g_focus_calls = false;
  for (uint32_t i = 0; i < places.code_count; ++i) {
    if ((places.code[i].attributes & wire::kFocusPlace) != 0) g_focus_calls = true;
  }
  g_focus_data = places.data_count != 0 || places.names[0] != '\0';
  g_focus = g_focus_calls || g_focus_data;
}

void focus_begin_run() {
  ++g_generation;
  names_reset();
}

void focus_entered(uint64_t pc, uint64_t return_address, uint64_t sp) {
  Thread* thread = g_run.current;
  if (thread->focus_frame != 0 && sp < thread->focus_frame) {
    ++thread->focus_calls;
    return;
  }
  bool in_focus = is_focus_code(pc) || is_focus_code(return_address);
  thread->focus_frame = in_focus ? sp : 0;
  thread->focus_calls = 0;
}

void focus_left(uint64_t sp) {
  Thread* thread = g_run.current;
  if (thread->focus_frame == 0) return;
  // After a longjmp within the function the calls are not counted right, but its frame is known.
  if (sp >= thread->focus_frame || thread->focus_calls == 0) {
    thread->focus_frame = 0;
  } else {
    --thread->focus_calls;
  }
}

void focus_jumped(uint64_t sp) {
  Thread* thread = g_run.current;
  if (sp > thread->focus_frame) thread->focus_frame = 0;
}

uint16_t focus_flags_slow(const Thread* thread) {
  const Pending& pending = thread->pending;
  uint16_t flags = 0;
  if (g_focus_calls && (thread->focus_frame != 0 || is_focus_code(pending.pc)))
    flags |= wire::kInFocus;
  if (g_focus_data && wire::op_effect(pending.op) != '-') {
    uint64_t second = second_object(pending);
    if (is_focus_data(pending.object) || (second != 0 && is_focus_data(second)))
      flags |= wire::kVarInFocus;
  }
  return flags;
}

}  // namespace heddle::runtime
