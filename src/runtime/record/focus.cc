// See focus.h.
#include "runtime/record/focus.h"

#include "base/hash.h"
#include "runtime/isolate/modules.h"
#include "runtime/record/names.h"
#include "runtime/run.h"

namespace heddle::runtime {

bool g_focus;
bool g_focus_calls;

namespace {

bool g_focus_data;

// What is known of an address; direct mapped. Of code it holds for the worker's life, of data as
// long as nothing is named.
struct Known {
  uint64_t address;
  uint64_t generation;
  bool in_focus;
};
constexpr uint64_t kKnown = 1 << 14;
Known g_known_code[kKnown];
Known g_known_data[kKnown];
uint64_t g_generation;

bool contains(const wire::Stretch* stretches, uint32_t count, uint64_t address) {
  uint64_t module;
  uint64_t offset;
  if (count == 0 || !module_place(address, &module, &offset)) return false;
  uint32_t low = 0;  // those before it begin at or before the address
  for (uint32_t high = count; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    const wire::Stretch& stretch = stretches[middle];
    bool before = stretch.module != module ? stretch.module < module : stretch.begin <= offset;
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low > 0 && stretches[low - 1].module == module && offset < stretches[low - 1].end;
}

// A return address stands for the call before it.
bool is_focus_code(uint64_t return_address) {
  Known& known = g_known_code[mix(return_address, 1) % kKnown];
  if (known.address != return_address) {
    const wire::Focus& focus = g_region->focus;
    known = {return_address, 0, contains(focus.code, focus.code_count, return_address - 1)};
  }
  return known.in_focus;
}

bool is_focus_data(uint64_t address) {
  Known& known = g_known_data[mix(address, 1) % kKnown];
  uint64_t generation = g_generation + g_names_generation;
  if (known.address != address || known.generation != generation) {
    const wire::Focus& focus = g_region->focus;
    bool in_focus = has_name_in_focus(address) || contains(focus.data, focus.data_count, address);
    known = {address, generation, in_focus};
  }
  return known.in_focus;
}

}  // namespace

void focus_begin() {
  const wire::Focus& focus = g_region->focus;
  g_focus_calls = focus.code_count != 0;
  g_focus_data = focus.data_count != 0 || focus.names[0] != '\0';
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
