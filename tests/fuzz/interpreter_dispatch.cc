#include "interpreter_dispatch.h"

namespace fuzz {

FUZZ_QUIET void note_value(Registers& self, int64_t value) {
  self.last = value;
  note(self.results, value);
}

namespace {

// Of the buffer, of atomics in it, of static objects.
FUZZ_QUIET bool do_bytes(Registers& self, const Instruction& instruction) {
  const int64_t* a = instruction.arguments;
  const int x = static_cast<int>(a[0]), y = static_cast<int>(a[1]), z = static_cast<int>(a[2]);
  switch (instruction.op) {
    case Op::k_ld:
      note_value(self, atomic_load(x, y));
      break;
    case Op::k_st:
      atomic_store(x, y, a[2]);
      break;
    case Op::k_add:
      note_value(self, atomic_add(x, y, a[2]));
      break;
    case Op::k_orr:
      note_value(self, atomic_or(x, y, a[2]));
      break;
    case Op::k_xchg:
      note_value(self, atomic_exchange(x, y, a[2]));
      break;
    case Op::k_cas:
      note_value(self, atomic_cas(x, y, a[2], a[3]));
      break;
    case Op::k_retry:
      note_value(self, atomic_retry(x, y, a[2], a[3]));
      break;
    case Op::k_vld:
      note_value(self, volatile_load(x, y));
      break;
    case Op::k_vst:
      volatile_store(x, y, a[2]);
      break;
    case Op::k_pld:
      note_value(self, plain_load(x, y));
      break;
    case Op::k_pst:
      plain_store(x, y, a[2]);
      break;
    case Op::k_memset:
      set_bytes(x, y, z);
      break;
    case Op::k_memcpy:
      copy_bytes(x, y, z);
      break;
    case Op::k_copy:
      copy_structure(x, y);
      break;
    default:
      return false;
  }
  return true;
}

FUZZ_QUIET bool do_lock(Registers& self, const Instruction& instruction) {
  const int64_t* a = instruction.arguments;
  const int x = static_cast<int>(a[0]), y = static_cast<int>(a[1]);
  switch (instruction.op) {
    case Op::k_lock:
      mutex_lock(x);
      break;
    case Op::k_unlock:
      mutex_unlock(x);
      break;
    case Op::k_trylock:
      note_value(self, mutex_try(x));
      break;
    case Op::k_timedlock:
      note_value(self, mutex_timed(x, a[1]));
      break;
    case Op::k_rdlock:
      rwlock_read(x);
      break;
    case Op::k_wrlock:
      rwlock_write(x);
      break;
    case Op::k_tryrd:
      note_value(self, rwlock_try_read(x));
      break;
    case Op::k_trywr:
      note_value(self, rwlock_try_write(x));
      break;
    case Op::k_rwunlock:
      rwlock_unlock(x);
      break;
    case Op::k_wait:
      condition_wait(x, y);
      break;
    case Op::k_timedwait:
      note_value(self, condition_timed(x, y, a[2]));
      break;
    case Op::k_signal:
      condition_signal(x);
      break;
    case Op::k_broadcast:
      condition_broadcast(x);
      break;
    case Op::k_spin:
      spin_lock(x);
      break;
    case Op::k_unspin:
      spin_unlock(x);
      break;
    case Op::k_tlock:
      timed_lock(x);
      break;
    case Op::k_tunlock:
      timed_unlock(x);
      break;
    case Op::k_tlockfor:
      note_value(self, timed_lock_for(x, a[1]));
      break;
    case Op::k_slock:
      shared_lock(x);
      break;
    case Op::k_sunlock:
      shared_unlock(x);
      break;
    case Op::k_sshared:
      shared_lock_shared(x);
      break;
    case Op::k_sunshared:
      shared_unlock_shared(x);
      break;
    case Op::k_strylock:
      note_value(self, shared_try(x));
      break;
    default:
      return false;
  }
  return true;
}

FUZZ_QUIET bool do_counted(Registers& self, const Instruction& instruction) {
  const int64_t* a = instruction.arguments;
  const int x = static_cast<int>(a[0]);
  switch (instruction.op) {
    case Op::k_semwait:
      semaphore_wait(x);
      break;
    case Op::k_sempost:
      semaphore_post(x);
      break;
    case Op::k_semtry:
      note_value(self, semaphore_try(x));
      break;
    case Op::k_semtimed:
      note_value(self, semaphore_timed(x, a[1]));
      break;
    case Op::k_semvalue:
      note_value(self, semaphore_value(x));
      break;
    case Op::k_latch:
      latch_make(x, a[1]);
      break;
    case Op::k_countdown:
      latch_down(x);
      break;
    case Op::k_latchwait:
      latch_wait(x);
      break;
    case Op::k_latchtry:
      note_value(self, latch_try(x));
      break;
    case Op::k_barrier:
      barrier_make(x, a[1]);
      break;
    case Op::k_arrive:
      barrier_arrive(x);
      break;
    case Op::k_arrivedrop:
      barrier_drop(x);
      break;
    case Op::k_pbarrier:
      pbarrier_make(x, a[1]);
      break;
    case Op::k_pbarrierwait:
      note_value(self, pbarrier_wait(x));
      break;
    case Op::k_csem:
      counting_make(x, a[1]);
      break;
    case Op::k_acquire:
      counting_acquire(x);
      break;
    case Op::k_release:
      counting_release(x);
      break;
    case Op::k_tryacquire:
      note_value(self, counting_try(x));
      break;
    case Op::k_acquirefor:
      note_value(self, counting_for(x, a[1]));
      break;
    default:
      return false;
  }
  return true;
}

FUZZ_QUIET bool do_slot(Registers& self, const Instruction& instruction) {
  const int x = static_cast<int>(instruction.arguments[0]);
  switch (instruction.op) {
    case Op::k_make:
      self.pointer = object_make();
      break;
    case Op::k_get:
      self.pointer = slot_get(x);
      note_value(self, self.pointer != nullptr ? 1 : 0);
      break;
    case Op::k_take:
      self.pointer = slot_take(x);
      note_value(self, self.pointer != nullptr ? 1 : 0);
      break;
    case Op::k_put:
      slot_put(x, self.pointer);
      break;
    default:
      return false;
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
    case Op::k_free:
      object_free(object);
      break;
    case Op::k_realloc:
      self.pointer = object_realloc(object, a);
      break;
    case Op::k_old:
      note_value(self, object_load(object));
      break;
    case Op::k_ost:
      object_store(object, a);
      break;
    case Op::k_oadd:
      note_value(self, object_add(object, a));
      break;
    case Op::k_opld:
      note_value(self, object_plain_load(object));
      break;
    case Op::k_opst:
      object_plain_store(object, a);
      break;
    case Op::k_olock:
      pthread_mutex_lock(&object->mutex);
      break;
    case Op::k_ounlock:
      pthread_mutex_unlock(&object->mutex);
      break;
    case Op::k_otrylock:
      note_value(self, pthread_mutex_trylock(&object->mutex) == 0);
      break;
    case Op::k_odestroy:
      pthread_mutex_destroy(&object->mutex);
      break;
    case Op::k_osemwait:
      sem_wait(&object->semaphore);
      break;
    case Op::k_osempost:
      sem_post(&object->semaphore);
      break;
    case Op::k_osemtry:
      note_value(self, sem_trywait(&object->semaphore) == 0);
      break;
    case Op::k_ordlock:
      pthread_rwlock_rdlock(&object->rwlock);
      break;
    case Op::k_owrlock:
      pthread_rwlock_wrlock(&object->rwlock);
      break;
    case Op::k_orwunlock:
      pthread_rwlock_unlock(&object->rwlock);
      break;
    case Op::k_osignal:
      pthread_cond_signal(&object->condition);
      break;
    case Op::k_owait:
      pthread_cond_wait(&object->condition, &object->mutex);
      break;
    case Op::k_ospin:
      pthread_spin_lock(&object->spin);
      break;
    case Op::k_ounspin:
      pthread_spin_unlock(&object->spin);
      break;
    default:
      return false;
  }
  return true;
}

FUZZ_QUIET bool do_library(Registers& self, const Instruction& instruction) {
  const int64_t* a = instruction.arguments;
  const int x = static_cast<int>(a[0]);
  switch (instruction.op) {
    case Op::k_mark:
      self.mark = monotonic_us();
      break;
    case Op::k_since:
      note_value(self, monotonic_us() - self.mark < a[0]);
      break;
    case Op::k_smark:
      self.steady_mark = steady_us();
      break;
    case Op::k_ssince:
      note_value(self, steady_us() - self.steady_mark < a[0]);
      break;
    case Op::k_sleep:
      sleep_us(a[0]);
      break;
    case Op::k_pipe:
      pipe_make(x);
      break;
    case Op::k_write:
      pipe_write(x, a[1]);
      break;
    case Op::k_read:
      note_value(self, pipe_read(x));
      break;
    case Op::k_poll:
      note_value(self, pipe_poll(x));
      break;
    case Op::k_hangup:
      pipe_hangup(x);
      break;
    case Op::k_open:
      if (self.open == kMostDescriptors) break;
      self.descriptors[self.open] = open_null();
      note_value(self, self.descriptors[self.open++]);
      break;
    case Op::k_close:
      if (self.open > 0) close_descriptor(self.descriptors[--self.open]);
      break;
    case Op::k_file:
      file_make();
      break;
    case Op::k_fput:
      file_put(a[0], a[1]);
      break;
    case Op::k_fget:
      note_value(self, file_get(a[0]));
      break;
    case Op::k_setenv:
      environment_set(x, a[1]);
      break;
    case Op::k_getenv:
      note_value(self, environment_get(x));
      break;
    case Op::k_rand:
      note_value(self, random_number());
      break;
    default:
      return false;
  }
  return true;
}

}  // namespace

FUZZ_QUIET bool do_operation(Registers& self, const Instruction& instruction) {
  bool missing = false;
  if (!do_bytes(self, instruction) && !do_lock(self, instruction) &&
      !do_counted(self, instruction) && !do_slot(self, instruction) &&
      !do_library(self, instruction) && !do_object(self, instruction, &missing)) {
    return false;
  }
  const char shape = kOpKinds[static_cast<int>(instruction.op)].shape;
  if (missing && shape == 'v') note_value(self, kNoPointer);
  return true;
}

}  // namespace fuzz
