// A library that is not rebuilt: it orders threads by an atomic of its own.
#include <sched.h>

static int turn;

void baton_pass(void) { __atomic_store_n(&turn, 1, __ATOMIC_RELEASE); }
int baton_taken(void) { return __atomic_load_n(&turn, __ATOMIC_ACQUIRE); }
void baton_call(void (*function)(void)) { function(); }
// Without a call: where a thread is when it is found to hang must not be chance.
void baton_spin(void) {
  while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) == 0) {
  }
}
