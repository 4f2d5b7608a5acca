// No race: the join hands over the pointer and what it points to.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void* work(void* input) {
  int* result = malloc(sizeof *result);
  *result = *(int*)input + 1;
  return result;
}

int main(void) {
  int input = 41;
  pthread_t other;
  pthread_create(&other, NULL, work, &input);
  void* result;
  pthread_join(other, &result);
  assert(*(int*)result == 42);
  free(result);
  return 0;
}
