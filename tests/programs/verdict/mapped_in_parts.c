// Mistakes these guard against. `over`: a mapping that replaces another one was forgotten as the
// end of the first one's life, and passed. `trimmed`: of a mapping that is given back in part, the
// rest stayed for the next execution, which then got other addresses: not repeatable.
// COMPILERS: gcc clang
// RUN: %cc -O1 -g %s -o %t
// RUN: for way in '' '--strategy dfs' '--strategy dfs --reduce dpor'; do %heddle run $way --json - %t over | grep -q '"kind": "data-race"'; done
// RUN: for way in '' '--strategy dfs' '--strategy dfs --reduce dpor'; do %heddle run $way --json - %t trimmed | grep -q '"verdict": "passed"'; done
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { kPage = 4096 };

static char* page;
static atomic_int flag, steps;

static char* map(size_t bytes) {
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void* replace(void* unused) {
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  mmap(page, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return unused;
}

static void* use(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) != 0) page[0] = 5;
  return unused;
}

// As allocators do that want an alignment: twice as much, and both ends given back.
static void* trim(void* unused) {
  char* all = map(4 * kPage);
  char* aligned = (char*)(((uintptr_t)all + 2 * kPage - 1) & ~(uintptr_t)(2 * kPage - 1));
  if (aligned != all) munmap(all, (size_t)(aligned - all));
  munmap(aligned + 2 * kPage, (size_t)(all + 4 * kPage - aligned - 2 * kPage));
  atomic_int* counter = (atomic_int*)aligned;
  for (int i = 0; i < 2; ++i) atomic_fetch_add(counter, 1);
  atomic_fetch_add(&steps, 1);
  return unused;
}

int main(int argc, char** argv) {
  int replaces = argc > 1 && strcmp(argv[1], "over") == 0;
  page = map(kPage);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, replaces ? replace : trim, NULL);
  pthread_create(&threads[1], NULL, replaces ? use : trim, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
