#include "interpreter_run.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interpreter_dispatch.h"
#include "interpreter_operations.h"
#include "interpreter_results.h"

namespace fuzz {

namespace {

const Program* g_program;
uint32_t g_number;
Notes* g_notes;
// Threads are counted for each body, since only one thread starts it, so that the place of results
// does not depend on the schedule.
int g_started[kBodies];
pthread_t g_handles[kBodies];  // the last one of each

void interpret(Registers& self, int begin, int end);

struct Part {
  Registers* self;
  int begin, end;
};

FUZZ_QUIET void interpret_part(void* argument) {
  auto* part = static_cast<Part*>(argument);
  interpret(*part->self, part->begin, part->end);
}

thread_local Part t_part;  // for pthread_once, which passes nothing on

// The first thread of a body has the body's number; further ones come behind these.
FUZZ_QUIET int place_of(int body) {
  const int before = g_started[body]++;
  return before == 0 ? body : kBodies + (before - 1) % (kThreads - kBodies);
}

FUZZ_QUIET void* thread_function(void* argument) {
  Registers self{};
  self.results = static_cast<Results*>(argument);
  self.body = self.results->body;
  interpret(self, 0, g_program->lengths[self.body]);
  return nullptr;
}

FUZZ_QUIET void create(int body) {
  Results* results = &g_results[place_of(body)];
  results->body = body;
  if (pthread_create(&g_handles[body], nullptr, thread_function, results) != 0) abort();
}

FUZZ_QUIET bool do_thread(Registers& self, const Instruction& instruction) {
  const int64_t a = instruction.arguments[0];
  int before;
  switch (instruction.op) {
    case Op::k_create:
      create(static_cast<int>(a));
      break;
    case Op::k_join:
      pthread_join(g_handles[a], nullptr);
      break;
    case Op::k_detach:
      pthread_detach(g_handles[a]);
      break;
    case Op::k_cancel:
      pthread_cancel(g_handles[a]);
      break;
    case Op::k_testcancel:
      pthread_testcancel();
      break;
    case Op::k_canceloff:
      pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
      break;
    case Op::k_cancelon:
      pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before);
      break;
    case Op::k_leave:
      pthread_exit(nullptr);
    case Op::k_yield:
      sched_yield();
      break;
    case Op::k_choose:
      note_value(self, choose(a));
      break;
    case Op::k_assume:
      assume(self.last == a);
      break;
    case Op::k_assumenot:
      assume(self.last != a);
      break;
    case Op::k_assert:
      check_assertion(self.last == a);
      break;
    case Op::k_assertnot:
      check_assertion(self.last != a);
      break;
    case Op::k_exit:
      ::exit(0);
    default:
      return false;
  }
  return true;
}

// Operations with a body.
FUZZ_QUIET void do_block(Registers& self, int index) {
  const Instruction& instruction = g_program->instructions[self.body][index];
  const int64_t a = instruction.arguments[0];
  const int begin = index + 1, end = instruction.end;
  switch (instruction.op) {
    case Op::k_if:
      if (self.last == a) interpret(self, begin, end);
      break;
    case Op::k_ifnot:
      if (self.last != a) interpret(self, begin, end);
      break;
    case Op::k_repeat:
      for (int64_t i = 0; i < a; ++i) interpret(self, begin, end);
      break;
    case Op::k_once: {
      Part part{&self, begin, end};
      call_once(static_cast<int>(a), interpret_part, &part);
      break;
    }
    case Op::k_oonce:
      if (self.pointer == nullptr) break;
      t_part = {&self, begin, end};
      object_once(self.pointer);
      break;
    default:
      abort();
  }
}

FUZZ_QUIET void interpret(Registers& self, int begin, int end) {
  int index = begin;
  while (index < end) {
    const Instruction& instruction = g_program->instructions[self.body][index];
    const char shape = kOpKinds[static_cast<int>(instruction.op)].shape;
    if (shape == 'b') {
      do_block(self, index);
    } else if (!do_thread(self, instruction) && !do_operation(self, instruction)) {
      abort();
    }
    index = instruction.end;
  }
}

// Several workers may note at a time.
FUZZ_QUIET void note_final() {
  Notes& notes = *g_notes;
  const uint32_t index = __atomic_fetch_add(&notes.records, 1, __ATOMIC_RELAXED);
  if (index >= Notes::kMostRecords) return;
  Record& record = notes.record[index];
  record = {g_number, 0, getpid(), hash_of_final()};
  if (notes.with_text == 0) return;
  for (uint32_t i = 0; i < index; ++i) {
    if (notes.record[i].hash == record.hash && notes.record[i].program == record.program) return;
  }
  Text text;
  text.length = 0;
  describe(text);
  const uint32_t size = static_cast<uint32_t>(text.length) + 1;
  const uint32_t place = __atomic_fetch_add(&notes.used, size, __ATOMIC_RELAXED);
  if (place + size > Notes::kText) return;
  for (uint32_t i = 0; i < size; ++i) notes.texts[place + i] = text.letters[i];
  record.room = place + 1;
}

FUZZ_QUIET void at_the_end() {
  if (g_notes == nullptr) {
    print_final();
  } else {
    note_final();
  }
}

}  // namespace

FUZZ_QUIET void object_once_body() { interpret_part(&t_part); }

void note_in(Notes* notes) { g_notes = notes; }

namespace {

FUZZ_QUIET void prepare(const Program& program, uint32_t number) {
  g_program = &program;
  g_number = number;
  if (g_notes != nullptr) __atomic_fetch_add(&g_notes->begun[number], 1, __ATOMIC_RELAXED);
  atexit(at_the_end);
}

}  // namespace

FUZZ_QUIET void run(const Program& program, uint32_t number) {
  prepare(program, number);
  Registers self{};
  self.results = &g_results[0];
  interpret(self, 0, program.lengths[0]);
}

FUZZ_QUIET void run_apart(const Program& program, uint32_t number) {
  prepare(program, number);
  create(0);
  pthread_join(g_handles[0], nullptr);
}

}  // namespace fuzz
