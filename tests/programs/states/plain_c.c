// heddle_state, for C: the function writes into a buffer. Two threads with two updates each; the
// state is how many each has made: 3 * 3. Also: main's last words are visited where the context is
// null, which can only mean what lives as long as the program.
// RUN: %cc -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run --strategy dfs --json - %t
// JSON: j["coverage"]["states"] == 9
// RUN: %heddle run --strategy dfs --json - %t last
// JSON: j["coverage"]["states"] == 10
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

void heddle_state(size_t (*callback)(void* context, void* buffer, size_t size), void* context);

atomic_uchar counts[2];
int last;

size_t state(void* context, void* buffer, size_t size) {
  unsigned char bytes[3] = {counts[0], counts[1], last};
  memcpy(buffer, bytes, sizeof bytes);
  return size >= sizeof bytes && context == NULL ? sizeof bytes : 0;
}

void* work(void* count) {
  for (int i = 0; i < 2; ++i) ++*(atomic_uchar*)count;
  return NULL;
}

int main(int argc, char** argv) {
  heddle_state(state, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, work, &counts[0]);
  work(&counts[1]);
  pthread_join(thread, NULL);
  last = argc > 1;
}
