// Races: all threads get the address of the one loop variable, which main goes on changing.
#include <pthread.h>

static void* work(void* argument) {
  int which = *(int*)argument;  // race
  return which < 2 ? argument : NULL;
}

int main(void) {
  pthread_t threads[2];
  int i;
  for (i = 0; i < 2; ++i) {  // race
    pthread_create(&threads[i], NULL, work, &i);
  }
  for (int j = 0; j < 2; ++j) pthread_join(threads[j], NULL);
  return 0;
}
