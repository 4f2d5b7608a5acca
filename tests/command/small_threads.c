// small_threads THREAD…: a thread for each argument, of which each word is an operation:
//   aX     adds 1 to variable X, and notes what was there
//   lM uM  locks and unlocks mutex M
//   sXV    stores V to variable X
//   gXV    reads variable X, and goes on only if it is V
//   bXV    reads variable X; it is the bug if that is V: exit status 1
// Main creates them, joins them, and prints what was noted.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int variables[10];
static pthread_mutex_t mutexes[10];
static int noted[10][10];
static int counts[10];

struct thread {
  int number;
  const char* text;
};

static void* run(void* argument) {
  struct thread* self = argument;
  for (const char* at = self->text; *at != '\0'; ++at) {
    if (*at == ' ') continue;
    char kind = *at++;
    int object = *at - '0';
    int value = kind == 's' || kind == 'g' || kind == 'b' ? *++at - '0' : 0;
    if (kind == 'a') {
      int old = atomic_fetch_add(&variables[object], 1);
      noted[self->number][counts[self->number]++] = old;
    }
    if (kind == 'l') pthread_mutex_lock(&mutexes[object]);
    if (kind == 'u') pthread_mutex_unlock(&mutexes[object]);
    if (kind == 's') atomic_store(&variables[object], value);
    if (kind == 'g' && atomic_load(&variables[object]) != value) return NULL;
    if (kind == 'b' && atomic_load(&variables[object]) == value) exit(1);
  }
  return NULL;
}

int main(int count, char** words) {
  pthread_t threads[10];
  struct thread given[10];
  for (int i = 1; i < count; ++i) {
    given[i] = (struct thread){i, words[i]};
    pthread_create(&threads[i], NULL, run, &given[i]);
  }
  for (int i = 1; i < count; ++i) pthread_join(threads[i], NULL);
  char text[200];
  int length = 0;
  for (int i = 1; i < count; ++i) {
    for (int j = 0; j < counts[i]; ++j) {
      length += snprintf(text + length, sizeof text - (size_t)length, " %d", noted[i][j]);
    }
  }
  printf("noted%s\n", text);
  return 0;
}
