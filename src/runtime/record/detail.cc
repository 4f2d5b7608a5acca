// See detail.h. A thread's stack is taken when it announces its operation, since it is the running
// one only then.
#include "runtime/record/detail.h"

#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/hash.h"
#include "runtime/own_memory.h"
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
// by itself has millions, of which the first and the last are shown.
bool is_far_from_end(uint32_t steps) {
  if (g_run.step < wire::kEarlyOfEndless) return false;
  return g_run.job.limit != wire::kNoStep && g_run.job.limit - g_run.step > steps;
}

// Stacks that steps have in common are kept once: a table of their numbers, by their hashes.
constexpr uint32_t kPlaces = 2 * wire::kEarlyStacks;  // a power of two
uint32_t* g_numbers;
uint32_t g_stack_count;

uint64_t hash_of(const wire::Stack& stack) {
  uint64_t hash = stack.count;
  for (uint32_t i = 0; i < stack.count; ++i) hash = mix(hash, stack.pc[i] ^ stack.sp[i] << 1);
  return hash;
}

bool is_same(const wire::Stack& a, const wire::Stack& b) {
  return a.count == b.count && memcmp(a.pc, b.pc, a.count * sizeof a.pc[0]) == 0 &&
         memcmp(a.sp, b.sp, a.count * sizeof a.sp[0]) == 0;
}

// Its number among the early stacks, from 1; 0: there is no room.
uint32_t number_of(wire::Detail* detail, const wire::Stack& stack) {
  if (stack.count > wire::kFrames) return 0;  // somebody has written over it
  for (uint64_t at = hash_of(stack);; ++at) {
    uint32_t& number = g_numbers[at % kPlaces];
    if (number != 0 && is_same(detail->early_stacks[number - 1], stack)) return number;
    if (number != 0) continue;
    if (g_stack_count == wire::kEarlyStacks) return 0;
    number = ++g_stack_count;
    detail->early_stack_count = number;
    detail->early_stacks[number - 1] = stack;
    return number;
  }
}

// What is kept of a step whose room is needed.
void move_to_early(const wire::StepDetail& old) {
  if (old.step >= wire::kEarlySteps) return;
  wire::Detail* detail = wire::detail(g_region);
  if (g_numbers == nullptr) {
    g_numbers = static_cast<uint32_t*>(own_memory(kPlaces * sizeof *g_numbers));
  }
  // Of those between there is nothing.
  while (detail->early_count < old.step) {
    detail->early[detail->early_count++].step = wire::kNoStep;
  }
  detail->early[old.step] = {old.address, old.before, old.after,
                             old.step,    old.thread, number_of(detail, old.stack),
                             old.size,    {}};
  if (detail->early_count == old.step) ++detail->early_count;
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
  detail->early_count = 0;
  detail->early_stack_count = g_stack_count = 0;
  if (g_numbers != nullptr) memset(g_numbers, 0, kPlaces * sizeof *g_numbers);
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
  if (step->step != wire::kNoStep) move_to_early(*step);
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
