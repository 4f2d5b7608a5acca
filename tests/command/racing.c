// Two threads count, and race for a plain variable only if they have taken turns all the way: one
// of many schedules shows that there is a race. It breaks nothing.
#include <pthread.h>
#include <stdatomic.h>

enum { kRounds = 5 };
atomic_int counter;
int shared;

static void* first(void* unused) {
  for (int i = 0; i < kRounds; ++i) atomic_fetch_add(&counter, 1);
  shared = 1;
  return unused;
}

static void* second(void* unused) {
  int in_turn = 1;
  for (int i = 0; i < kRounds; ++i) in_turn &= atomic_fetch_add(&counter, 1) == 2 * i + 1;
  if (in_turn) shared = 2;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
