#include "counter.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

void counter_add(int by) {
  pthread_mutex_lock(&mutex);
  value += by;
  pthread_mutex_unlock(&mutex);
}

int counter_value(void) {
  pthread_mutex_lock(&mutex);
  int result = value;
  pthread_mutex_unlock(&mutex);
  return result;
}
