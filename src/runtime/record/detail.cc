// See detail.h. A thread's stack is taken when it announces its operation, since it is the running
// one only then.
#include "runtime/record/detail.h"

#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/record/names.h"
#include "runtime/record/stack.h"
#include "runtime/run.h"

namespace heddle::runtime {

namespace {

wire::StepDetail* last_step;  // whose `after` is still to be read

// By way of the kernel, which refuses where a plain read would fault: the operation itself may be
// about to, and what it is to fault at is the program's affair. False: there is no such memory.
bool read_value(uint64_t address, uint8_t size, uint64_t* value) {
  *value = 0;
  iovec here{value, size};
  iovec there{reinterpret_cast<void*>(address), size};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == size;
}

// Whether so many steps and more are to come, where that is known: an execution that does not end
// by itself has millions, of which the last are shown.
bool is_far_from_end(uint32_t steps) {
  return g_run.job.limit != wire::kNoStep && g_run.job.limit - g_run.step > steps;
}

void finish_last_step() {
  if (last_step != nullptr && last_step->size != 0 &&
      !read_value(last_step->address, last_step->size, &last_step->after)) {
    last_step->size = 0;
  }
  last_step = nullptr;
}

}  // namespace

void detail_begin() {
  last_step = nullptr;
  wire::Detail* detail = wire::detail(g_region);
  detail->job = g_run.job.id;
  detail->failure = {};
  detail->disputed = 0;
  detail->witness_count = 0;
  detail->name_count = 0;
  for (uint32_t i = 0; i < wire::kDetailedSteps; ++i) detail->steps[i].step = wire::kNoStep;
}

// An execution before may have left one.
void detail_add(const Thread* thread) {
  wire::detail(g_region)->threads[thread->index].stack.count = 0;
}

void detail_announce() {
  if (!is_far_from_end(2 * wire::kDetailedSteps)) detail_stop();
}

void detail_stop() { capture_stack(&wire::detail(g_region)->threads[g_run.current->index].stack); }

void detail_step(const Thread* thread) {
  if (is_far_from_end(wire::kDetailedSteps)) return;
  finish_last_step();
  wire::Detail* detail = wire::detail(g_region);
  wire::StepDetail* step = &detail->steps[g_run.step % wire::kDetailedSteps];
  const Pending& pending = thread->pending;
  step->step = g_run.step;
  step->thread = thread->index;
  step->address = shown_address(thread);
  step->size = pending.size <= 8 ? pending.size : 0;
  if (!read_value(pending.object, step->size, &step->before)) step->size = 0;
  step->after = step->before;
  step->stack = detail->threads[thread->index].stack;
  last_step = step;
}

void detail_end() {
  finish_last_step();
  wire::Detail* detail = wire::detail(g_region);
  detail->thread_count = g_run.thread_count;
  detail->step_count = g_run.step;
  for (uint32_t i = 0; i < g_run.thread_count; ++i) {
    const Thread* thread = &g_threads[i];
    wire::ThreadDetail* shown = &detail->threads[i];
    shown->parent = thread->parent;
    shown->ordinal = thread->ordinal;
    shown->id = thread->id;
    snprintf(shown->name, sizeof shown->name, "%s", name_of_thread(thread));
    shown->pending = thread->pending.op;
    shown->address = shown_address(thread);
    shown->holder = holder_of(thread);
    switch (thread->state) {
      case State::ready:
      case State::late:
        // A script that transfers waits for the thread to come back.
        shown->state = thread->pending.op == wire::Op::transfer && thread != g_run.current
                           ? wire::ThreadState::waiting
                           : wire::ThreadState::enabled;
        break;
      case State::blocked:
        shown->state = wire::ThreadState::waiting;
        break;
      case State::ended:
        shown->state = wire::ThreadState::ended;
        shown->stack.count = 0;
        break;
    }
  }
}

}  // namespace heddle::runtime
