#include "interpreter_run.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interpreter_operations.h"
#include "interpreter_results.h"

namespace fuzz {

namespace {

// A thread's own; on its stack.
struct Registers {
  int body;
  Results* results;
  int64_t last;
  Object* pointer;
  int64_t mark, steady_mark;
  int descriptors[kMostDescriptors];
  int open;
};

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

FUZZ_QUIET void note_value(Registers& self, int64_t value) {
  self.last = value;
  note(self.results, value);
}

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

// Of the buffer, of atomics in it, of static objects.
FUZZ_QUIET bool do_bytes(Registers& self, const Instruction& instruction) {
  const int64_t* a = instruction.arguments;
  const int x = static_cast<int>(a[0]), y = static_cast<int>(a[1]), z = static_cast<int>(a[2]);
  switch (instruction.op) {
    case Op::k_ld: note_value(self, atomic_load(x, y)); break;
    case Op::k_st: atomic_store(x, y, a[2]); break;
    case Op::k_add: note_value(self, atomic_add(x, y, a[2])); break;
    case Op::k_orr: note_value(self, atomic_or(x, y, a[2])); break;
    case Op::k_xchg: note_value(self, atomic_exchange(x, y, a[2])); break;
    case Op::k_cas: note_value(self, atomic_cas(x, y, a[2], a[3])); break;
    case Op::k_vld: note_value(self, volatile_load(x, y)); break;
    case Op::k_vst: volatile_store(x, y, a[2]); break;
    case Op::k_pld: note_value(self, plain_load(x, y)); break;
    case Op::k_pst: plain_store(x, y, a[2]); break;
    case Op::k_memset: set_bytes(x, y, z); break;
    case Op::k_memcpy: copy_bytes(x, y, z); break;
    case Op::k_copy: copy_structure(x, y); break;
    default: return false;
  }
  return true;
}

FUZZ_QUIET bool do_lock(Registers& self, const Instruction& instruction) {
  const int64_t* a = instruction.arguments;
  const int x = static_cast<int>(a[0]), y = static_cast<int>(a[1]);
  switch (instruction.op) {
    case Op::k_lock: mutex_lock(x); break;
    case Op::k_unlock: mutex_unlock(x); break;
    case Op::k_trylock: note_value(self, mutex_try(x)); break;
    case Op::k_timedlock: note_value(self, mutex_timed(x, a[1])); break;
    case Op::k_rdlock: rwlock_read(x); break;
    case Op::k_wrlock: rwlock_write(x); break;
    case Op::k_tryrd: note_value(self, rwlock_try_read(x)); break;
    case Op::k_trywr: note_value(self, rwlock_try_write(x)); break;
    case Op::k_rwunlock: rwlock_unlock(x); break;
    case Op::k_wait: condition_wait(x, y); break;
    case Op::k_timedwait: note_value(self, condition_timed(x, y, a[2])); break;
    case Op::k_signal: condition_signal(x); break;
    case Op::k_broadcast: condition_broadcast(x); break;
    case Op::k_spin: spin_lock(x); break;
    case Op::k_unspin: spin_unlock(x); break;
    case Op::k_tlock: timed_lock(x); break;
    case Op::k_tunlock: timed_unlock(x); break;
    case Op::k_tlockfor: note_value(self, timed_lock_for(x, a[1])); break;
    case Op::k_slock: shared_lock(x); break;
    case Op::k_sunlock: shared_unlock(x); break;
    case Op::k_sshared: shared_lock_shared(x); break;
    case Op::k_sunshared: shared_unlock_shared(x); break;
    case Op::k_strylock: note_value(self, shared_try(x)); break;
    default: return false;
  }
  return true;
}

FUZZ_QUIET bool do_counted(Registers& self, const Instruction& instruction) {
  const int64_t* a = instruction.arguments;
  const int x = static_cast<int>(a[0]);
  switch (instruction.op) {
    case Op::k_semwait: semaphore_wait(x); break;
    case Op::k_sempost: semaphore_post(x); break;
    case Op::k_semtry: note_value(self, semaphore_try(x)); break;
    case Op::k_semtimed: note_value(self, semaphore_timed(x, a[1])); break;
    case Op::k_semvalue: note_value(self, semaphore_value(x)); break;
    case Op::k_latch: latch_make(x, a[1]); break;
    case Op::k_countdown: latch_down(x); break;
    case Op::k_latchwait: latch_wait(x); break;
    case Op::k_latchtry: note_value(self, latch_try(x)); break;
    case Op::k_barrier: barrier_make(x, a[1]); break;
    case Op::k_arrive: barrier_arrive(x); break;
    case Op::k_arrivedrop: barrier_drop(x); break;
    case Op::k_pbarrier: pbarrier_make(x, a[1]); break;
    case Op::k_pbarrierwait: note_value(self, pbarrier_wait(x)); break;
    case Op::k_csem: counting_make(x, a[1]); break;
    case Op::k_acquire: counting_acquire(x); break;
    case Op::k_release: counting_release(x); break;
    case Op::k_tryacquire: note_value(self, counting_try(x)); break;
    case Op::k_acquirefor: note_value(self, counting_for(x, a[1])); break;
    default: return false;
  }
  return true;
}

FUZZ_QUIET bool do_slot(Registers& self, const Instruction& instruction) {
  const int x = static_cast<int>(instruction.arguments[0]);
  switch (instruction.op) {
    case Op::k_make: self.pointer = object_make(); break;
    case Op::k_get:
      self.pointer = slot_get(x);
      note_value(self, self.pointer != nullptr ? 1 : 0);
      break;
    case Op::k_take:
      self.pointer = slot_take(x);
      note_value(self, self.pointer != nullptr ? 1 : 0);
      break;
    case Op::k_put: slot_put(x, self.pointer); break;
    default: return false;
  }
  return true;
}

// Only with a pointer; what it points to may have been freed.
FUZZ_QUIET bool do_object(Registers& self, const Instruction& instruction, bool* missing) {
  Object* const object = self.pointer;
  const int64_t a = instruction.arguments[0];
  *missing = object == nullptr;
  if (*missing) return instruction.op >= Op::k_free && instruction.op <= Op::k_ounspin;
  switch (instruction.op) {
    case Op::k_free: object_free(object); break;
    case Op::k_realloc: self.pointer = object_realloc(object, a); break;
    case Op::k_old: note_value(self, object_load(object)); break;
    case Op::k_ost: object_store(object, a); break;
    case Op::k_oadd: note_value(self, object_add(object, a)); break;
    case Op::k_opld: note_value(self, object_plain_load(object)); break;
    case Op::k_opst: object_plain_store(object, a); break;
    case Op::k_olock: pthread_mutex_lock(&object->mutex); break;
    case Op::k_ounlock: pthread_mutex_unlock(&object->mutex); break;
    case Op::k_otrylock: note_value(self, pthread_mutex_trylock(&object->mutex) == 0); break;
    case Op::k_odestroy: pthread_mutex_destroy(&object->mutex); break;
    case Op::k_osemwait: sem_wait(&object->semaphore); break;
    case Op::k_osempost: sem_post(&object->semaphore); break;
    case Op::k_osemtry: note_value(self, sem_trywait(&object->semaphore) == 0); break;
    case Op::k_ordlock: pthread_rwlock_rdlock(&object->rwlock); break;
    case Op::k_owrlock: pthread_rwlock_wrlock(&object->rwlock); break;
    case Op::k_orwunlock: pthread_rwlock_unlock(&object->rwlock); break;
    case Op::k_osignal: pthread_cond_signal(&object->condition); break;
    case Op::k_owait: pthread_cond_wait(&object->condition, &object->mutex); break;
    case Op::k_ospin: pthread_spin_lock(&object->spin); break;
    case Op::k_ounspin: pthread_spin_unlock(&object->spin); break;
    default: return false;
  }
  return true;
}

FUZZ_QUIET bool do_library(Registers& self, const Instruction& instruction) {
  const int64_t* a = instruction.arguments;
  const int x = static_cast<int>(a[0]);
  switch (instruction.op) {
    case Op::k_mark: self.mark = monotonic_us(); break;
    case Op::k_since: note_value(self, monotonic_us() - self.mark < a[0]); break;
    case Op::k_smark: self.steady_mark = steady_us(); break;
    case Op::k_ssince: note_value(self, steady_us() - self.steady_mark < a[0]); break;
    case Op::k_sleep: sleep_us(a[0]); break;
    case Op::k_pipe: pipe_make(x); break;
    case Op::k_write: pipe_write(x, a[1]); break;
    case Op::k_read: note_value(self, pipe_read(x)); break;
    case Op::k_poll: note_value(self, pipe_poll(x)); break;
    case Op::k_hangup: pipe_hangup(x); break;
    case Op::k_open:
      if (self.open == kMostDescriptors) break;
      self.descriptors[self.open] = open_null();
      note_value(self, self.descriptors[self.open++]);
      break;
    case Op::k_close:
      if (self.open > 0) close_descriptor(self.descriptors[--self.open]);
      break;
    case Op::k_file: file_make(); break;
    case Op::k_fput: file_put(a[0], a[1]); break;
    case Op::k_fget: note_value(self, file_get(a[0])); break;
    case Op::k_setenv: environment_set(x, a[1]); break;
    case Op::k_getenv: note_value(self, environment_get(x)); break;
    case Op::k_rand: note_value(self, random_number()); break;
    default: return false;
  }
  return true;
}

FUZZ_QUIET bool do_thread(Registers& self, const Instruction& instruction) {
  const int64_t a = instruction.arguments[0];
  int before;
  switch (instruction.op) {
    case Op::k_create: create(static_cast<int>(a)); break;
    case Op::k_join: pthread_join(g_handles[a], nullptr); break;
    case Op::k_detach: pthread_detach(g_handles[a]); break;
    case Op::k_cancel: pthread_cancel(g_handles[a]); break;
    case Op::k_testcancel: pthread_testcancel(); break;
    case Op::k_canceloff: pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before); break;
    case Op::k_cancelon: pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before); break;
    case Op::k_leave: pthread_exit(nullptr);
    case Op::k_yield: sched_yield(); break;
    case Op::k_choose: note_value(self, choose(a)); break;
    case Op::k_assume: assume(self.last == a); break;
    case Op::k_assumenot: assume(self.last != a); break;
    case Op::k_assert: check_assertion(self.last == a); break;
    case Op::k_assertnot: check_assertion(self.last != a); break;
    case Op::k_exit: ::exit(0);
    default: return false;
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
    default: abort();
  }
}

FUZZ_QUIET void interpret(Registers& self, int begin, int end) {
  int index = begin;
  while (index < end) {
    const Instruction& instruction = g_program->instructions[self.body][index];
    const char shape = kOpKinds[static_cast<int>(instruction.op)].shape;
    bool missing = false;
    if (shape == 'b') {
      do_block(self, index);
    } else if (!do_bytes(self, instruction) && !do_lock(self, instruction) &&
               !do_counted(self, instruction) && !do_slot(self, instruction) &&
               !do_library(self, instruction) && !do_thread(self, instruction) &&
               !do_object(self, instruction, &missing)) {
      abort();
    }
    if (missing && shape == 'v') note_value(self, kNoPointer);
    index = instruction.end;
  }
}

FUZZ_QUIET uint64_t hash_of(const Text& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < text.length; ++i) {
    hash = (hash ^ static_cast<unsigned char>(text.letters[i])) * 0x100000001b3;
  }
  return hash;
}

// Several workers may note at a time.
FUZZ_QUIET void note_final(const Text& text) {
  Notes& notes = *g_notes;
  const uint32_t index = __atomic_fetch_add(&notes.records, 1, __ATOMIC_RELAXED);
  if (index >= Notes::kMostRecords) return;
  Record& record = notes.record[index];
  record = {g_number, 0, getpid(), hash_of(text)};
  if (notes.with_text == 0) return;
  for (uint32_t i = 0; i < index; ++i) {
    if (notes.record[i].hash == record.hash && notes.record[i].program == record.program) return;
  }
  const uint32_t size = static_cast<uint32_t>(text.length) + 1;
  const uint32_t place = __atomic_fetch_add(&notes.used, size, __ATOMIC_RELAXED);
  if (place + size > Notes::kText) return;
  for (uint32_t i = 0; i < size; ++i) notes.texts[place + i] = text.letters[i];
  record.room = place + 1;
}

FUZZ_QUIET void at_the_end() {
  if (g_notes == nullptr) {
    print_final();
    return;
  }
  Text text;
  text.length = 0;
  describe(text);
  note_final(text);
}

}  // namespace

FUZZ_QUIET void object_once_body() { interpret_part(&t_part); }

void note_in(Notes* notes) { g_notes = notes; }

namespace {

FUZZ_QUIET void prepare(const Program& program, uint32_t number) {
  g_program = &program;
  g_number = number;
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
