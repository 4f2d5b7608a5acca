#include "runtime/detect/lifetime.h"

#include "runtime/schedule/scheduler.h"
#include "wire/dependence.h"

namespace heddle::runtime {

namespace {

// Of larger stretches only what has been used so far is looked at.
constexpr uint64_t kMostNoted = uint64_t{1} << 20;

bool is_about_to_use(const Thread* thread, uint64_t address, uint64_t bytes) {
  const Pending& pending = thread->pending;
  return thread != g_run.current && wire::op_effect(pending.op) != '-' &&
         wire::overlap(address, bytes, pending.object, pending.bytes);
}

// Without clocks nobody knows what is ordered: whatever another thread has used counts.
bool may_matter(uint64_t address, uint64_t bytes) {
  const Run& run = g_run;
  if (is_used_by_others(address, bytes, run.current->index)) return true;
  for (uint32_t i = 0; i < run.living_count; ++i) {
    if (is_about_to_use(run.living[i], address, bytes)) return true;
  }
  return false;
}

}  // namespace

void note_making(uint64_t object, uint64_t pc) {
  const Thread* self = g_run.current;
  if (g_run.thread_count < 2) return;
  if (is_racing(pc)) return reach(wire::Op::initialise, object, pc);
  ObjectRecord* record = find_object(object, 1);
  record->maker = self->index + 1;
  record->made_at = g_ordering ? time_of(self) : 0;
  record->made_by = pc;
  if (g_learns_places && may_matter(object, 1)) note_racing(pc);
}

void check_making(const ObjectRecord* object, const Thread* user) {
  uint32_t maker = object->maker - 1;
  if (!g_learns_places || maker == user->index) return;
  bool is_ordered = g_ordering && object->made_at <= order_of(user).clock.get(maker);
  if (!is_ordered) note_racing(object->made_by);
}

void reach_end_of_life(wire::Op op, uint64_t address, uint64_t bytes, uint64_t pc) {
  if (is_racing(pc)) reach_range(op, address, bytes != 0 ? bytes : 1, pc);
}

void note_end_of_life(uint64_t address, uint64_t bytes, uint64_t pc) {
  if (bytes == 0 || g_run.thread_count < 2) return;
  if (g_ordering) {
    if (bytes <= kMostNoted) return note_access(address, bytes, kWriteAccess | kFreeAccess, pc);
    shadow_visit(address, bytes, pc, [](uint64_t begin, uint64_t part, uint64_t place) {
      note_access(begin, part, kWriteAccess | kFreeAccess, place);
    });
  } else if (g_learns_places && may_matter(address, bytes)) {
    note_racing(pc);
  }
}

void release_waiters(uint64_t address, uint64_t bytes) {
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    Thread* thread = g_run.living[i];
    if (thread->pending.can != nullptr && is_about_to_use(thread, address, bytes)) {
      set_state(thread, State::ready);
    }
  }
}

}  // namespace heddle::runtime
